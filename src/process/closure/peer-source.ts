/** Who holds the other end of a pipe or a socket, as what could wake the thread that waits at this end. */

import type { Holders, Process } from '../snapshot.ts'
import { namesOf, type TreeIndex } from './tree-index.ts'
import { type ExternalSource, ownThreads, type Via, type WakeSource } from './wait-graph.ts'

export type End = {
  readonly via: Via
  /** The thing between them, for people: `a pipe`. */
  readonly what: string
  /** What the supervisor's holding of that end means. */
  readonly supervisor: ExternalSource
}

/** Sources for a thread of `process` that waits for whoever holds the other end. */
export function fromHolders(
  tree: TreeIndex,
  program: Process,
  holders: Holders,
  end: End,
): readonly WakeSource[] {
  const sources: WakeSource[] = []
  const outsiders: number[] = []
  for (const pid of [...holders.pids].sort((a, b) => a - b)) {
    if (pid === program.pid) sources.push(...fromItself(tree, program, end.what))
    else if (pid === tree.snapshot.supervisor) sources.push(end.supervisor)
    else if (tree.processes.has(pid)) sources.push(toProcess(tree, pid, end))
    else outsiders.push(pid)
  }
  if (outsiders.length > 0)
    sources.push({
      type: end.via === 'write' ? 'reader' : 'outsider',
      what: `${end.what} that ${namesOf(tree, outsiders)} holds`,
      pids: outsiders,
    })
  if (!holders.isWhole)
    sources.push({ type: 'unseen', what: `${end.what} whose other end someone unseen may hold`, pids: [] })
  if (sources.length === 0)
    sources.push({ type: 'unknown', what: `${end.what} whose other end nobody holds`, pids: [] })
  return sources
}

export const namelessQueue = 'a message queue without a name'

/** What is shared with those who have it already, and nobody else can come to. */
export const fromSharers = (
  tree: TreeIndex,
  program: Process,
  sharers: Holders,
  what: string,
): readonly WakeSource[] => {
  const { supervisor } = tree.snapshot
  const outsider = {
    type: 'outsider',
    what: `${what} with ${tree.nameOf(supervisor)}`,
    pids: [supervisor],
  } as const
  return fromHolders(tree, program, sharers, { via: 'read', what, supervisor: outsider })
}

/** The same, of a thing that its own holder waits on otherwise. */
export const fromOthers = (
  tree: TreeIndex,
  program: Process,
  sharers: Holders | undefined,
  what: string,
): readonly WakeSource[] => {
  const pids = sharers?.pids.filter(pid => pid !== program.pid) ?? []
  if (!sharers || (pids.length === 0 && sharers.isWhole)) return []
  return fromSharers(tree, program, { ...sharers, pids }, what)
}

const toProcess = (tree: TreeIndex, pid: number, { via, what }: End): WakeSource => ({
  type: 'edge',
  via,
  pid,
  what: `${what} ${via === 'write' ? 'to' : 'from'} ${tree.nameOf(pid)}`,
})

/** A process that waits on a thing of its own: its other threads may touch it, and a signal handler when a child ends. */
export function fromItself(tree: TreeIndex, program: Process, what: string): readonly WakeSource[] {
  return [ownThreads(program, `${what} of its own`), ...fromChildren(tree, program, 'exit')]
}

export const fromChildren = (tree: TreeIndex, program: Process, via: Via): readonly WakeSource[] =>
  (tree.children.get(program.pid) ?? []).map(({ pid }) => ({
    type: 'edge',
    via,
    pid,
    what: `the end of ${tree.nameOf(pid)}`,
  }))
