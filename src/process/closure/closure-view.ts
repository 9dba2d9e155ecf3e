/** All that the rules ask of a pair: the graph, what the root's own thread depends on, and what moved. */

import type { SnapshotPair } from '../snapshot.ts'
import { runtimeOf } from './runtimes.ts'
import { nodesOf } from './thread-nodes.ts'
import { indexTree, isGone, type Options, type TreeIndex } from './tree-index.ts'
import { type Motion, motionOf } from './tree-motion.ts'
import {
  type ExternalSource,
  type ExternalType,
  externalsOf,
  type Graph,
  type GraphStep,
  graphOf,
  isLive,
  type Node,
  reach,
  type WakeSource,
} from './wait-graph.ts'
import { hasTick, wrappersOf } from './wrappers.ts'

/** A thread, and that of its sources that counts. */
export type ThreadWait = { readonly node: Node; readonly source: WakeSource }
export type ExternalWait = { readonly node: Node; readonly source: ExternalSource }

export type ClosureView = {
  readonly tree: TreeIndex
  readonly graph: Graph
  readonly motion: Motion
  /** The thread that the tree is asked about: the root's first; all of its threads, or of the tree, where that one is gone. */
  readonly main: readonly Node[]
  /** What `main` depends on, the nearest first. */
  readonly reached: ReadonlyMap<Node, GraphStep | undefined>
  /** Every wait of the tree for something outside of its threads, those that `main` depends on first; without housekeeping. */
  readonly externals: readonly ExternalWait[]
  /** Of these, those that `main` depends on. */
  readonly own: readonly ExternalWait[]
  /** Threads that only pass on what they are told, or look now and then: what may wake them counts for nothing above. */
  readonly wrappers: ReadonlySet<Node>
}

export function viewOf(pair: SnapshotPair, options: Options): ClosureView {
  const tree = indexTree(pair.after, options)
  const nodes = nodesOf(tree, pair)
  const graph = graphOf(nodes)
  const main = mainOf(tree, nodes)
  const reached = reach(graph, main)
  const wrappers = wrappersOf(graph)
  const counting = nodes.filter(node => !wrappers.has(node) || !hasTick(node))
  const own = externalWaitsOf([...reached.keys()], wrappers)
  const others = externalWaitsOf(
    nodes.filter(node => !reached.has(node)),
    wrappers,
  )
  const externals = [...own, ...others]
  return { tree, graph, motion: motionOf(pair, counting), main, reached, externals, own, wrappers }
}

function mainOf(tree: TreeIndex, nodes: readonly Node[]): readonly Node[] {
  const { root } = tree.snapshot
  const living = nodes.filter(({ program, isZombie }) => !isZombie && !isGone(program))
  const first = living.filter(({ thread }) => thread.tid === root)
  if (first.length > 0) return first
  const ofRoot = living.filter(({ program }) => program.pid === root)
  return ofRoot.length > 0 ? ofRoot : living
}

const externalWaitsOf = (nodes: readonly Node[], wrappers: ReadonlySet<Node>): readonly ExternalWait[] =>
  nodes
    .filter(({ isHousekeeping }) => !isHousekeeping)
    .flatMap(node =>
      externalsOf(node)
        .filter(source => !wrappers.has(node) || !isLive(source))
        .map(source => ({ node, source })),
    )

export const of = (
  externals: readonly ExternalWait[],
  ...types: readonly ExternalType[]
): readonly ExternalWait[] => externals.filter(({ source }) => types.includes(source.type))

export const livingOf = (externals: readonly ExternalWait[]): readonly ExternalWait[] =>
  externals.filter(({ source }) => isLive(source))

/**
 * A timer that fires within `ticks` ms is a clock that ticks, as far as can be seen: no wait of its own. One within `soon`
 * may be a runtime's: V8 sets one of 8 s after it has collected garbage (heap/memory-reducer.h, kLongDelayMs).
 */
const short = { ticks: 2000, soon: 10_000 }

const within = ({ source }: ExternalWait, ms: number): boolean =>
  source.type === 'timer' && source.ms !== undefined && source.ms <= ms

export const isTick = (wait: ExternalWait): boolean => within(wait, short.ticks)

/** A timer that may be a runtime's own, and says nothing next to what the program waits for. */
export const isSoon = (wait: ExternalWait): boolean =>
  within(wait, runtimeOf(wait.node.program)?.hasOneClock ? Number.POSITIVE_INFINITY : short.soon)

/** A timer that is worth waiting for. */
export const isFar = (wait: ExternalWait): boolean => wait.source.type === 'timer' && !isTick(wait)
