/** The reader for Linux: /proc, and sock_diag for what it lacks. Needs no privilege for programs of the same user. */
import v8 from 'node:v8'
import { readText } from '../../os/proc/proc-file.ts'
import type { ProcessReader } from '../process-reader.ts'
import { adoptedChildren } from '../reaper.ts'
import { linuxActivity } from './activity-poll.ts'
import { rememberTimers, slicesOf } from './kernel-timers.ts'
import { scan } from './scan.ts'
import { startedWith } from './started.ts'
import { threadsOf } from './threads.ts'
import { newMemory, type TreeMemory, walkTree } from './tree.ts'

/** Which settings of the kernel forbid looking into processes. */

/** /proc is mounted so that other users' processes are out of sight. */
export function whyHidden(mounts: string): string | undefined {
  const option = /^.* \/proc .* - proc .*\bhidepid=(\w+)/m.exec(mounts)?.[1]
  return option === undefined || option === '0' || option === 'off'
    ? undefined
    : `/proc is mounted with hidepid=${option}`
}

/** A security module forbids to look into programs that lull did not start (Documentation/admin-guide/LSM/Yama.rst). */
export function whyNotOthers(scope: string): string | undefined {
  switch (scope.trim()) {
    case '':
    case '0':
      return undefined
    case '1':
      return 'kernel.yama.ptrace_scope is 1: only programs that lull started'
    case '2':
      return 'kernel.yama.ptrace_scope is 2: only with CAP_SYS_PTRACE'
    default:
      return `kernel.yama.ptrace_scope is ${scope.trim()}: nobody may`
  }
}

/** CAP_SYS_PTRACE of linux/capability.h. */
const mayTrace = 1n << 19n

/** Which files a process holds is shown to its own user alone (proc_fd_permission, fs/proc/fd.c). */
export function whyNotUsers(status: string): string | undefined {
  const held = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1]
  return held === undefined || (BigInt(`0x${held}`) & mayTrace) !== 0n
    ? undefined
    : 'what they hold is shown to root alone (CAP_SYS_PTRACE)'
}

export type LinuxOptions = {
  /** The lull that looks; this process where it is left out. */
  readonly supervisor?: number
  /**
   * Where lull is a sub-reaper: orphans of the tree become its children, so that its children belong to the tree, but
   * for those that this names.
   */
  readonly adopts?: { readonly isOwn: (pid: number) => boolean }
}

/** From this size on a tree's scans make so much that is soon thrown away that V8 would triple its space for new objects. */
const large = 1000

/** Measured for 5,000 processes: 112 MB of memory instead of 155. The factor is read whenever the space would grow. */
const keepHeapSmall = () => v8.setFlagsFromString('--semi-space-growth-factor=1')

const noProcesses: ReadonlyMap<number, string> = new Map()

export function linuxReader({ supervisor = process.pid, adopts }: LinuxOptions = {}): ProcessReader {
  const memories = new Map<number, TreeMemory>()
  const started = startedWith()
  const inherited = supervisor === process.pid ? started.files : new Set<string>()
  const isBlinkered = process.geteuid?.() !== 0 && whyHidden(readText('/proc/self/mountinfo')) !== undefined
  const adopted = () => (adopts ? adoptedChildren(adopts.isOwn, supervisor) : [])
  return {
    snapshot(root, depth) {
      const memory = memories.get(root) ?? newMemory()
      const members = walkTree(root, memory, threadsOf, adopted())
      if (!members) return undefined
      memories.set(root, memory)
      if (members.length > large) keepHeapSmall()
      return scan(members, depth, {
        root,
        supervisor,
        inherited,
        timersOf(processes, first, last) {
          const own = processes.filter(({ pid }) => pid !== supervisor)
          const isYounger = own.every(({ startTicks }) => Number(startTicks) > started.ticks + 1)
          memory.timers = rememberTimers(memory.timers, {
            slices: slicesOf(own),
            first: first.interval,
            last: last.interval,
            isBefore: at => isYounger && started.timers.has(at),
          })
          const { timers, others } = memory.timers
          return timers.filter(at => !others.has(at))
        },
        isBlinkered,
        isReaper: adopts !== undefined,
      })
    },
    known: root => memories.get(root)?.ever ?? noProcesses,
    activity: linuxActivity,
  }
}
