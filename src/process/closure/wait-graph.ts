/** The graph of threads and of what could wake each of them: its closure is computed. */
import type { Call, Process, Thread } from '../snapshot.ts'

/** Why a waiting thread may move, or why it will not, where the answer lies outside of the tree's own threads. */
export type ExternalType =
  | 'computing'
  | 'disk'
  | 'network'
  | 'connecting'
  /** An established connection of which nobody can tell whether its peer is slow or gone. */
  | 'silent'
  /** A connection that has received its last answer: a pool at rest, or a stream that pauses. */
  | 'resting'
  | 'outsider'
  /** A terminal that a person may sit at, or input that the supervisor still owes. */
  | 'person'
  /** Someone outside of the tree, the lull that looks as a rule, reads this output. */
  | 'reader'
  | 'timer'
  /** A signal timer that can't be seen may fire. */
  | 'alarm'
  | 'signal'
  | 'server'
  | 'unknown'
  /** Someone who may not be looked at may hold the other end. */
  | 'unseen'
  /** Input that the lull that looks could write, and owes nobody. */
  | 'input'
  | 'dead_peer'
  | 'unreachable'
  | 'stopped'
  | 'frozen'
  | 'traced'

export type ExternalSource = {
  readonly type: ExternalType
  /** For people: `a pipe that this lull holds and has not written`. */
  readonly what: string
  /** Who could do it, where that is known. */
  readonly pids: readonly number[]
  /** Of a timer: ms until it fires at the latest; absent where it could not be read. */
  readonly ms?: number
}

/** A list of one source outside of the tree's threads. */
export const external = (
  type: ExternalType,
  what: string,
  pids: readonly number[] = [],
): readonly ExternalSource[] => [{ type, what, pids }]

export type Via = 'lock' | 'join' | 'own' | 'child' | 'read' | 'write' | 'exit'

/** Another part of the tree that could wake it: a thread, or any thread of a process. */
export type Edge = {
  readonly type: 'edge'
  readonly via: Via
  readonly pid: number
  /** One thread of it; any where absent. */
  readonly tid?: number
  readonly what: string
}

export type WakeSource = Edge | ExternalSource

/** Any thread of the process itself. */
export const ownThreads = ({ pid }: Process, what: string): Edge => ({ type: 'edge', via: 'own', pid, what })

export type Node = {
  readonly program: Process
  readonly thread: Thread
  /** What it is judged by: the call before, where it was met running for a moment. */
  readonly call: Call
  /** It ran between the two looks, or was not there in the first. */
  readonly moved: boolean
  /** It has ended: nothing wakes it, and it wakes nobody. */
  readonly isZombie: boolean
  /** A thread that its runtime keeps for itself: it wakes now and then, and no program waits for it. */
  readonly isHousekeeping: boolean
  readonly sources: readonly WakeSource[]
}

export const isEdge = (source: WakeSource): source is Edge => source.type === 'edge'

export const externalsOf = (node: Node): readonly ExternalSource[] =>
  node.sources.filter(source => !isEdge(source)) as readonly ExternalSource[]

export const edgesOf = (node: Node): readonly Edge[] => node.sources.filter(isEdge)

/** Grounds from which nothing comes by itself. All others count as live. */
const dead: ReadonlySet<ExternalType> = new Set<ExternalType>([
  'input',
  'dead_peer',
  'unreachable',
  'stopped',
  'frozen',
  'traced',
])

export const isLive = (external: ExternalSource): boolean => !dead.has(external.type)

/** Every thread of a tree, with a way from an edge to the threads that it means. */
export type Graph = {
  readonly nodes: readonly Node[]
  readonly targets: (edge: Edge) => readonly Node[]
}

export function graphOf(nodes: readonly Node[]): Graph {
  const byTid = new Map(nodes.map(node => [node.thread.tid, node]))
  const byPid = Map.groupBy(nodes, ({ program }) => program.pid)
  return {
    nodes,
    targets: ({ pid, tid }) => {
      const one = tid === undefined ? undefined : byTid.get(tid)
      return one ? [one] : (byPid.get(pid) ?? [])
    },
  }
}

/** Every thread that could make one of `from` move, `from` included: the nearest first. */
export function reach(
  graph: Graph,
  from: readonly Node[],
  follows: (edge: Edge) => boolean = () => true,
): ReadonlyMap<Node, GraphStep | undefined> {
  const found = new Map<Node, GraphStep | undefined>(from.map(node => [node, undefined]))
  // A map's iteration goes on to what is added while it runs: this is a search in breadth.
  for (const [node] of found) {
    for (const edge of edgesOf(node).filter(follows)) {
      for (const next of graph.targets(edge)) {
        if (!found.has(next) && !next.isHousekeeping) found.set(next, { from: node, edge })
      }
    }
  }
  return found
}

/** How a search came to a thread. */
export type GraphStep = { readonly from: Node; readonly edge: Edge }
