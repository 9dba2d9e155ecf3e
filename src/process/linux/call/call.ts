/** What one thread does in the kernel right now. Needs no privilege for a program of the same user. */
import { readFile, readMemory, readText } from '../../../os/proc/proc-file.ts'
import type { Call } from '../../snapshot.ts'
import type { Machine } from './call-table.ts'
import { decodeCall } from './decode-call.ts'
import { epollMembers } from './epoll.ts'
import { lockOwners } from './file-locks.ts'
import { opening } from './named-pipe.ts'
import { childNumbered, sharerNumbered, threadNumbered } from './namespace.ts'
import type { ThreadContext } from './thread-context.ts'

/** The table for this machine; undefined on others, where every call is `other`. */
export const machine = (): Machine | undefined =>
  process.arch === 'x64' || process.arch === 'arm64' ? process.arch : undefined

/** ms on the clocks that programs wait by. CLOCK_BOOTTIME counts a suspend: only the kernel's uptime tells it. */
const clockNow = (id: number): number | undefined =>
  id === 0
    ? Date.now()
    : id === 1
      ? Number(process.hrtime.bigint()) / 1e6
      : id === 7
        ? Number(readText('/proc/uptime').split(' ')[0]) * 1000
        : undefined

/** The process that a pidfd means; undefined where it has ended. */
export const pidOfPidfd = (info: string): number | undefined => {
  const pid = Number(/^Pid:\s*(-?\d+)/m.exec(info)?.[1])
  return pid > 0 ? pid : undefined
}

/** The context of a process's threads, read when it is asked for. */
export const contextOf = (pid: number, known: Machine): ThreadContext => ({
  machine: known,
  memory: (address, length) => readMemory(pid, address, length),
  thread: number => threadNumbered(pid, number),
  sharer: (number, address) => sharerNumbered(pid, number, address),
  child: number => childNumbered(pid, number),
  opening: how => opening(pid, (address, length) => readMemory(pid, address, length), how),
  clock: clockNow,
  epoll: fd => epollMembers(pid, fd),
  pidfd: fd => pidOfPidfd(readText(`/proc/${pid}/fdinfo/${fd}`)),
  lockOwners: fd => lockOwners(pid, fd),
})

/**
 * Never throws: a thread that may not be looked at, or is gone, is `hidden`.
 * @param tid the thread; the process's own number for its first one
 */
export function readCall(pid: number, tid = pid): Call {
  const reading = readFile(`/proc/${pid}/task/${tid}/syscall`)
  if (reading.error !== undefined) return { type: 'hidden', why: reading.error }
  const known = machine()
  if (!known) return { type: 'other', name: reading.text.split(' ')[0] ?? '' }
  return decodeCall(reading.text, contextOf(pid, known))
}
