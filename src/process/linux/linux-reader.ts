/** The reader for Linux: /proc, and sock_diag for what it lacks. Needs no privilege for programs of the same user. */
import v8 from 'node:v8'
import { readText } from '../../os/proc/proc-file.ts'
import type { ProcessReader } from '../process-reader.ts'
import { adoptedChildren } from '../reaper.ts'
import { linuxActivity } from './activity-poll.ts'
import { whyHidden } from './hidden.ts'
import { rememberTimers, slicesOf } from './kernel-timers.ts'
import { scan } from './scan.ts'
import { begunTicks, startedWith, timersBefore } from './started.ts'
import { threadsOf } from './threads.ts'
import { newMemory, type TreeMemory, walkTree } from './tree.ts'

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
  const inherited = supervisor === process.pid ? startedWith : new Set<string>()
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
          const isYounger = own.every(({ startTicks }) => Number(startTicks) > begunTicks + 1)
          memory.timers = rememberTimers(memory.timers, {
            slices: slicesOf(own),
            first: first.interval,
            last: last.interval,
            isBefore: at => isYounger && timersBefore.has(at),
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
