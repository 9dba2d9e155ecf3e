/**
 * Processes with files that lull may not read: could one of them hold the other end? Almost every machine has such (each
 * daemon of root, for a user). A pipe reaches them only by being inherited, and orphans are adopted by ancestors alone:
 * so a holder is in the tree, or below one of its ancestors and younger than the process that made the pipe.
 */

import { readLink } from '../../os/proc/proc-file.ts'
import { isKernel, readStat, type Stat } from '../../os/proc/stat.ts'
import { cgroupOf } from './cgroups.ts'
import type { HolderKey } from './holders.ts'

/** Of the tree that is looked at. */
export type Family = {
  readonly members: ReadonlySet<number>
  readonly supervisor: number
  /** Nearest first: the root's parent, and on to the first process of all. `holds` is missing where it may not be read. */
  readonly ancestors: readonly {
    readonly pid: number
    readonly stat: Stat
    readonly holds?: ReadonlySet<HolderKey>
  }[]
  readonly cgroup?: string
  /** The supervisor adopts orphans of the tree: none of them is found above it. */
  readonly isReaper: boolean
  /** What the supervisor itself was started with. */
  readonly inherited: ReadonlySet<HolderKey>
}

/** above: only where the file came from above the root, and not where the tree or its supervisor made it. */
type Weight = 'no' | 'yes' | 'above'

export function weigh(pid: number, family: Family): Weight {
  const stat = readStat(pid)
  if (!stat || isKernel(stat) || stat.state === 'Z') return 'no'
  const [parent] = family.ancestors
  if (family.ancestors.some(ancestor => ancestor.pid === pid)) return 'above'
  if (mayDescend(pid, stat, family)) return 'yes'
  // Programs of one pipeline share pipes that the shell between them made, and has closed.
  if (parent?.stat.session !== stat.session) return 'no'
  return isSupervised(family) ? 'above' : 'yes'
}

const isSupervised = ({ ancestors, supervisor }: Family): boolean =>
  ancestors.some(({ pid }) => pid === supervisor)

/** Whether it may have been started by the tree, by its supervisor, or by a parent of both since they began. */
function mayDescend(pid: number, first: Stat, family: Family): boolean {
  const { ancestors, supervisor, members } = family
  const maker = ancestors.find(ancestor => ancestor.pid === supervisor) ?? ancestors[0]
  let stat = first
  // A chain is as long as it is; pids that are used anew could make a ring of it.
  for (let steps = 0; steps < 100; steps++) {
    if (members.has(stat.parent) || stat.parent === supervisor) return true
    if (stat.parent === 0 || ancestors.some(ancestor => ancestor.pid === stat.parent)) {
      const isYounger = !family.isReaper && Number(stat.startTicks) >= Number(maker?.stat.startTicks ?? 0)
      return isYounger && isSameGroup(pid, family)
    }
    const next = readStat(stat.parent)
    if (!next) return true
    stat = next
  }
  return true
}

/** Each service of systemd is in a group of its own. */
function isSameGroup(pid: number, { cgroup }: Family): boolean {
  const group = cgroupOf(pid)
  return group === undefined || cgroup === undefined || group === cgroup
}

/**
 * Whether it came from above: through all that stand between, of which the nearest still has it. What the supervisor has
 * made itself did not.
 * @param sharers who has this very file, where its key is that of others, too
 */
export function cameFromAbove(key: HolderKey, family: Family, sharers?: readonly number[]): boolean {
  for (const { pid, holds } of family.ancestors) {
    if (pid === family.supervisor) return sharers ? sharers.includes(pid) : family.inherited.has(key)
    if (!holds) return true
    if (!(sharers ? sharers.includes(pid) : holds.has(key))) return false
  }
  return !isFirstNamespace()
}

/** PROC_PID_INIT_INO of include/linux/proc_ns.h: from any other namespace of pids some processes are out of sight. */
export const isFirstNamespace = (): boolean => {
  const own = readLink('/proc/self/ns/pid')
  return 'link' in own && own.link === 'pid:[4026531836]'
}
