/** The threads of a process: times and states, at depth what each of them waits for, and tables that they share with no other. */

import { haveOtherFiles, shareMemory } from '../../os/native/kcmp.ts'
import { listFolder, readFile, readText } from '../../os/proc/proc-file.ts'
import { isWorker, readStat, type Stat } from '../../os/proc/stat.ts'
import type { Call, Thread, Want } from '../snapshot.ts'
import { readCall } from './call/call.ts'

const filesOf = (folder: string): string => {
  const names = listFolder(folder)
  return 'error' in names ? '' : names.join()
}

/** Threads with a file table of their own. Without kcmp: with other descriptor numbers than their process. */
export const withOwnFiles = (pid: number, tids: readonly number[]): readonly number[] =>
  tids.filter(tid => {
    if (tid === pid) return false
    const differs = haveOtherFiles(pid, tid)
    return differs ?? filesOf(`/proc/${pid}/task/${tid}/fd`) !== filesOf(`/proc/${pid}/fd`)
  })

/** A parent that is another process, and the same memory: its threads could wake those of the child. */
export const sharesMemory = (pid: number, parent: number): boolean => shareMemory(pid, parent)

const moving: ReadonlySet<string> = new Set(['splice', 'tee', 'vmsplice', 'sendfile'])

/** wchan, and the side that is waited for; the file of Linux that has the function. */
const sides: Readonly<Record<string, Want>> = {
  // fs/pipe.c
  pipe_wait_readable: 'read',
  pipe_wait_writable: 'write',
  // net/unix/af_unix.c
  unix_stream_read_generic: 'read',
  unix_stream_data_wait: 'read',
  // net/core/sock.c
  sock_alloc_send_pskb: 'write',
  // net/core/stream.c
  sk_stream_wait_memory: 'write',
}

/** The call with only the side that it waits for; with both where that is unknown. */
export function withSide(call: Call, wchan: string): Call {
  const side = sides[wchan]
  if (side === undefined || call.type !== 'fds' || !moving.has(call.name)) return call
  return { ...call, fds: call.fds.filter(({ want }) => want === side) }
}

/** Threads of one process that are looked at: a Java server has hundreds, a leak of threads has more. */
export const mostThreads = 512

/** Undefined where the folder can't be listed whole (it always can, but for a process that ends just now). */
export function threadsOf(pid: number, stat: Stat): readonly number[] {
  // The leader of a process may have ended before its other threads: then their number is not to be trusted.
  if (stat.threads === 1 && stat.state !== 'Z') return [pid]
  const names = listFolder(`/proc/${pid}/task`)
  return 'error' in names ? [pid] : names.map(Number)
}

type Times = { readonly cpu: number; readonly delay: number; readonly slices: number }

const noTimes: Times = { cpu: 0, delay: 0, slices: 0 }

/** schedstat: ns on a processor, ns waited for one, slices. */
function readTimes(folder: string): Times | undefined {
  const reading = readFile(`${folder}/schedstat`)
  if (reading.error !== undefined) return undefined
  const [cpu, delay, slices] = reading.text.split(' ').map(Number)
  return { cpu: cpu ?? 0, delay: delay ?? 0, slices: slices ?? 0 }
}

const notRead: Call = { type: 'hidden', why: 'not read' }

/** In this order a wake between the two shows as further slices in the next scan, and never the other way round. */
function readThread(pid: number, tid: number, stat: Stat, withCalls: boolean): Thread | undefined {
  const folder = `/proc/${pid}/task/${tid}`
  const times = readTimes(folder)
  // A zombie may tell none, nor does a child that is out of sight; any other is gone.
  if (!times && !['Z', 'X', '?'].includes(stat.state)) return undefined
  const wchan = withCalls ? readText(`${folder}/wchan`) : ''
  return {
    tid,
    name: stat.name,
    state: stat.state,
    ...(times ?? noTimes),
    wchan,
    call: !withCalls ? notRead : isWorker(stat) ? { type: 'worker' } : withSide(readCall(pid, tid), wchan),
  }
}

/** @param leader the stat of the process, which is also that of its only thread */
export function readThreads(
  pid: number,
  tids: readonly number[],
  leader: Stat,
  withCalls: boolean,
): readonly Thread[] {
  return tids.slice(0, mostThreads).flatMap(tid => {
    const stat = tids.length === 1 && tid === pid ? leader : readStat(pid, tid)
    return (stat && readThread(pid, tid, stat, withCalls)) ?? []
  })
}
