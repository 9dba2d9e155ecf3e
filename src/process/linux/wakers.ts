/** What may wake a process besides the files that its threads wait on: handlers, timers, a debugger, the kernel itself. */
import { readLink, readText } from '../../os/proc/proc-file.ts'
import { runtimeOf } from '../closure/runtimes.ts'
import type { Process, Thread } from '../snapshot.ts'
import { posixTimersOf, readStatus } from './details.ts'
import { readGo } from './go-runtime.ts'
import type { KernelTimers } from './kernel-timers.ts'

/** Signals and timers that may wake it, and who else may. */
export function wakersOf(
  pid: number,
  threads: readonly Thread[],
  links: ReadonlyMap<number, string>,
  timers: KernelTimers | undefined,
): Pick<Process, 'threads' | 'hasSignalTimer'> & Partial<Process> {
  const { uid, tracer, catches, ignoresAlarm } = readStatus(pid)
  const file = readLink(`/proc/${pid}/exe`)
  const program =
    'link' in file
      ? file.link
          .split('/')
          .at(-1)
          ?.replace(/ \(deleted\)$/, '')
      : undefined
  let read: string | undefined
  const maps = (): string => (read ??= readText(`/proc/${pid}/maps`))
  const go = readGo(pid, threads, catches, maps)
  const handled = go?.asked ?? catches
  const counts = kernelCountsOf(pid, links, maps)
  const posix = timers?.hasPosix === false ? [] : posixTimersOf(pid)
  const own = runtimeOf({ name: '', ...(program !== undefined && { program }) })?.timer
  return {
    threads: go ? threads.map(one => (go.own.has(one.tid) ? { ...one, isRuntimes: true } : one)) : threads,
    ...(program !== undefined && { program }),
    ...(uid !== undefined && { uid }),
    ...(tracer !== undefined && { tracer }),
    hasSignalTimer: posix.some(signal => signal !== own),
    ...(handled.length > 0 && { catches: handled }),
    ...(ignoresAlarm && { ignoresAlarm }),
    ...(counts !== undefined && { kernelCounts: counts }),
  }
}

/** Virtual machines, and files of control groups: cgroup.event_control of version 1 names an eventfd and one of these. */
const byKernel = /^(anon_inode:\[?kvm|\/dev\/(kvm|vfio\/)|\/sys\/fs\/cgroup\/)/

/**
 * Whether the kernel itself may count up an eventfd of it: for requests of io_submit(2) or of an io_uring, a virtual
 * machine, a control group. Which eventfd a ring counts up is not shown (IORING_REGISTER_EVENTFD).
 */
function kernelCountsOf(
  pid: number,
  links: ReadonlyMap<number, string>,
  maps: () => string,
): string | undefined {
  const all = [...links.values()]
  if (!all.includes('anon_inode:[eventfd]')) return undefined
  const found = all.find(link => byKernel.test(link))
  if (found !== undefined) return found
  const rings = [...links].filter(([, link]) => link.includes('[io_uring]'))
  if (rings.some(([fd]) => mayBePending(readText(`/proc/${pid}/fdinfo/${fd}`)))) return 'io_uring'
  if (rings.length === 0 && maps().includes('[io_uring]')) return 'io_uring'
  return /\/\[aio\]/.test(maps()) ? 'aio' : undefined
}

/**
 * What was submitted to a ring and is not completed. libuv's rings have completed all that they were given. A request
 * may complete more than once; that the two are equal then is chance.
 */
export function mayBePending(info: string): boolean {
  const submitted = /^CachedSqHead:\s*(\d+)$/m.exec(info)?.[1]
  const completed = /^CachedCqTail:\s*(\d+)$/m.exec(info)?.[1]
  return submitted === undefined || submitted !== completed
}
