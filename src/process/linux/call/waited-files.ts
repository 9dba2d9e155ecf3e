/** Which files of a process its blocked threads wait on: those of their calls, and what an epoll or a ring among them watches. */
import type { Thread } from '../../snapshot.ts'
import { epollMembers } from './epoll.ts'
import { ringMembers } from './io-ring.ts'

export function waitedFds(
  pid: number,
  threads: readonly Thread[],
  links: ReadonlyMap<number, string>,
): ReadonlySet<number> {
  const waited = new Set<number>()
  const visit = (fd: number) => {
    if (waited.has(fd)) return
    waited.add(fd)
    const link = links.get(fd) ?? ''
    const further = link.includes('[eventpoll]')
      ? epollMembers(pid, fd)
      : link.includes('[io_uring]')
        ? ringMembers(pid, fd)
        : undefined
    for (const watched of further ?? []) visit(watched.fd)
  }
  for (const { call, state } of threads) {
    // In the middle of a disk's or a network file system's work: even to ask what it is could wait for the same.
    if (state === 'D') continue
    if (call.type === 'fds') for (const watched of call.fds) visit(watched.fd)
    if (call.type === 'ring') visit(call.fd)
    if (call.type === 'shared' && call.fd !== undefined) visit(call.fd)
  }
  return waited
}
