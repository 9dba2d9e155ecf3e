/** Somebody else who stands in the kernel between a thread and its call, told by the function that the thread sleeps in. */
import type { Thread } from '../snapshot.ts'
import { external, type WakeSource } from './wait-graph.ts'

/** Beginnings of wchan, and who goes on with it; the file of Linux that has the function. */
const rows: readonly (readonly [prefix: string, who: string])[] = [
  // kernel/seccomp.c
  ['seccomp_', 'whoever decides on its system calls (seccomp)'],
  // fs/userfaultfd.c
  ['handle_userfault', 'whoever fills its memory (userfaultfd)'],
  // fs/notify/fanotify/fanotify.c
  ['fanotify_', 'whoever allows it to open a file (fanotify)'],
  // fs/fuse/dev.c
  ['request_wait_answer', 'the program behind a file system (FUSE)'],
  ['fuse_', 'the program behind a file system (FUSE)'],
  // net/sunrpc/sched.c
  ['rpc_', 'the server of a file system (NFS)'],
]

export function fromBetween({ wchan }: Thread): readonly WakeSource[] | undefined {
  const row = rows.find(([prefix]) => wchan.startsWith(prefix))
  return row && external('outsider', row[1])
}
