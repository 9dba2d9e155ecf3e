/** All that the rules ask of a cut: the graph, what the root's own thread depends on, and what moved. */

import type { Cut } from '../snapshot.ts'
import {
  type Graph,
  type Ground,
  type GroundType,
  graphOf,
  groundsOf,
  isLive,
  type Node,
  reach,
  type Source,
  type Step,
} from './graph.ts'
import { type Motion, motionOf } from './motion.ts'
import { nodesOf } from './nodes.ts'
import { isGone, type Options, type Scene, sceneOf } from './tree-index.ts'

/** A thread, and that of its sources that counts. */
export type Place = { readonly node: Node; readonly source: Source }
export type Grounded = { readonly node: Node; readonly source: Ground }

export type View = {
  readonly scene: Scene
  readonly graph: Graph
  readonly motion: Motion
  /** The thread that the tree is asked about: the root's first; all of its threads, or of the tree, where that one is gone. */
  readonly main: readonly Node[]
  /** What `main` depends on, the nearest first. */
  readonly reached: ReadonlyMap<Node, Step | undefined>
  /** Every ground of the tree, those that `main` depends on first; without housekeeping. */
  readonly grounds: readonly Grounded[]
  /** Of these, those that `main` depends on. */
  readonly own: readonly Grounded[]
}

export function viewOf(cut: Cut, options: Options): View {
  const scene = sceneOf(cut.after, options)
  const nodes = nodesOf(scene, cut)
  const graph = graphOf(nodes)
  const main = mainOf(scene, nodes)
  const reached = reach(graph, main)
  const own = groundedOf([...reached.keys()])
  const others = groundedOf(nodes.filter(node => !reached.has(node)))
  return { scene, graph, motion: motionOf(cut, nodes), main, reached, grounds: [...own, ...others], own }
}

function mainOf(scene: Scene, nodes: readonly Node[]): readonly Node[] {
  const { root } = scene.snapshot
  const living = nodes.filter(({ program, isZombie }) => !isZombie && !isGone(program))
  const first = living.filter(({ thread }) => thread.tid === root)
  if (first.length > 0) return first
  const ofRoot = living.filter(({ program }) => program.pid === root)
  return ofRoot.length > 0 ? ofRoot : living
}

const groundedOf = (nodes: readonly Node[]): readonly Grounded[] =>
  nodes
    .filter(({ isHousekeeping }) => !isHousekeeping)
    .flatMap(node => groundsOf(node).map(source => ({ node, source })))

export const of = (grounds: readonly Grounded[], ...types: readonly GroundType[]): readonly Grounded[] =>
  grounds.filter(({ source }) => types.includes(source.type))

export const livingOf = (grounds: readonly Grounded[]): readonly Grounded[] =>
  grounds.filter(({ source }) => isLive(source))

/**
 * A timer that fires within `ticks` ms is a clock that ticks, as far as can be seen: no wait of its own. One within `soon`
 * may be a runtime's: V8 sets one of 8 s after it has collected garbage (heap/memory-reducer.h, kLongDelayMs).
 */
const short = { ticks: 2000, soon: 10_000 }

const within = ({ source }: Grounded, ms: number): boolean =>
  source.type === 'timer' && source.ms !== undefined && source.ms <= ms

export const isTick = (grounded: Grounded): boolean => within(grounded, short.ticks)

/** A timer that may be a runtime's own, and says nothing next to what the program waits for. */
export const isSoon = (grounded: Grounded): boolean => within(grounded, short.soon)

/** A timer that is worth waiting for. */
export const isFar = (grounded: Grounded): boolean => grounded.source.type === 'timer' && !isTick(grounded)
