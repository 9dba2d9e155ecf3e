/** A snapshot, indexed: children by parent, the members of the tree, and what stdin is. */
import type { Process, Snapshot, Target } from '../snapshot.ts'

export type Options = {
  /** The supervisor will still write to the tree's stdin: it is no dead end. */
  readonly owesInput?: boolean
  /** False where the supervisor itself does not read what the tree prints, and will not. */
  readonly drains?: boolean
  /** What people call the supervisor; `this lull` where it is the one that looks. */
  readonly supervisorName?: string
}

export type TreeIndex = {
  readonly snapshot: Snapshot
  /** Interval timers of which one may be the tree's, ms until each fires; undefined where it was not asked. */
  readonly alarms: 'unseen' | readonly number[] | undefined
  readonly options: Options
  readonly processes: ReadonlyMap<number, Process>
  /** Living children by parent, in the order of their pids. */
  readonly children: ReadonlyMap<number, readonly Process[]>
  /** Inodes of what the root got as its stdin, stdout and stderr. */
  readonly given: ReadonlySet<string>
  readonly nameOf: (pid: number) => string
}

export const isGone = (program: Process): boolean =>
  program.threads.every(({ state }) => state === 'Z' || state === 'X')

export function indexTree(snapshot: Snapshot, options: Options): TreeIndex {
  const sorted = [...snapshot.processes].sort((a, b) => a.pid - b.pid)
  const processes = new Map(sorted.map(program => [program.pid, program]))
  const living = sorted.filter(program => !isGone(program) && program.pid !== snapshot.root)
  const children = Map.groupBy(living, ({ parent }) => parent)
  const names = new Map(snapshot.outsiders.map(({ pid, name }) => [pid, name]))
  const root = processes.get(snapshot.root)
  const given = [0, 1, 2].map(fd => inodeOf(root?.fds[fd])).filter(inode => inode !== undefined)
  return {
    snapshot,
    alarms: alarmsOf(snapshot),
    options,
    processes,
    children,
    given: new Set(given),
    nameOf: pid => {
      if (pid === snapshot.supervisor) return options.supervisorName ?? 'this lull'
      const name = processes.get(pid)?.name ?? names.get(pid)
      return name === undefined ? `process ${pid}` : `\`${plain(name)}\`(${pid})`
    },
  }
}

function alarmsOf({ intervalTimers, at }: Snapshot): TreeIndex['alarms'] {
  if (intervalTimers === undefined || intervalTimers === 'unseen') return intervalTimers
  return intervalTimers.map(firesAt => Math.max(0, firesAt - at))
}

/** A process may name itself as it likes: no control characters, no quotes of ours. */
const plain = (name: string): string => name.replace(/[\p{C}`]/gu, '?').slice(0, 40)

const inodeOf = (target: Target | undefined): string | undefined =>
  target !== undefined && 'inode' in target ? target.inode : undefined

/** `claude`(790), `sh`(791) and 3 more. */
export function namesOf(tree: TreeIndex, pids: readonly number[]): string {
  const named = pids.slice(0, 3).map(tree.nameOf)
  const more = pids.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(' and ')
}
