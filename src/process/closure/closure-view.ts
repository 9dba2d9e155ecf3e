/** What the rules look at: the graph, what moved between the two scans, the wrappers, and the waits for anything outside. */
import type { Process, SnapshotPair } from '../snapshot.ts'
import { runtimeOf } from './runtimes.ts'
import { nodesOf } from './thread-nodes.ts'
import { indexTree, isGone, type Options, type TreeIndex } from './tree-index.ts'
import {
  type ExternalSource,
  type ExternalType,
  edgesOf,
  externalsOf,
  type Graph,
  type GraphStep,
  graphOf,
  isLive,
  type Node,
  reach,
  type WakeSource,
} from './wait-graph.ts'

/** A clock that only looks whether it is over yet: what fires later may be a limit. */
const longestTick = 2000

/**
 * Wrappers: init shims, sandboxes, `xargs`, `script`, the parts of a pipeline. Each waits for another program that does not wait
 * for it, and may be woken by a signal that it passes on, or by a clock of its own. None of that gives the other program what it
 * waits for. A wrapper may end the other program; whether it will can't be seen.
 */
const wrappersOf = (graph: Graph): ReadonlySet<Node> =>
  new Set(graph.nodes.filter(node => isWrapper(graph, node, externalsOf(node).filter(isLive))))

/** It runs now and then, which is no evidence. */
export const hasTick = (node: Node): boolean => externalsOf(node).some(({ type }) => type === 'timer')

function isWrapper(graph: Graph, node: Node, living: readonly ExternalSource[]): boolean {
  const { program, isZombie, isHousekeeping, call } = node
  if (isZombie || isHousekeeping || living.length === 0) return false
  // The many threads of one program, that wait for each other, are none.
  if (edgesOf(node).every(({ pid }) => pid === program.pid)) return false
  const hasClock = hasTick(node)
  const isQuiet = living.every(
    ({ type, ms }) => type === 'signal' || (type === 'timer' && ms !== undefined && ms <= longestTick),
  )
  if (isQuiet && !hasClock && holdsTerminal(program)) return true
  // An event loop's next timer hides those behind it: one that ends its children among them.
  const mayLimit = call.type !== 'signal' && call.type !== 'child'
  // Where all waiting ends is the farthest, and waits for nobody: it is asked first.
  return (
    isQuiet &&
    [...reach(graph, [node]).keys()].reverse().some(other => {
      if (other.program === program || (hasClock && mayLimit && isBelow(graph, other, program.pid)))
        return false
      return [...reach(graph, [other]).keys()].every(one => one.program !== program)
    })
  )
}

/** For another program, between it and its own: `script` and its kind. That one waits for it as well. */
const holdsTerminal = ({ fds }: Process): boolean =>
  Object.values(fds).some(target => target.type === 'pipe' && target.inode.startsWith('ptmx:'))

function isBelow({ nodes }: Graph, node: Node, pid: number): boolean {
  const programs = new Map(nodes.map(({ program }) => [program.pid, program]))
  for (let at = programs.get(node.program.parent), steps = 0; at && steps < 100; steps++) {
    if (at.pid === pid) return true
    at = programs.get(at.parent)
  }
  return false
}

export type Motion = {
  /** Time between the looks, ms. */
  readonly ms: number
  /** Processors used, and waited for: 1 for one of them the whole time. */
  readonly cpu: number
  readonly delay: number
  /** Bytes to and from disks, a second. */
  readonly diskRate: number
  /** Page faults that had to read a disk, a second. */
  readonly faultRate: number
  /** The same threads of the same processes, and none of them ran. */
  readonly isStill: boolean
}

function motionOf({ before, after }: SnapshotPair, nodes: readonly Node[]): Motion {
  const ms = Math.max(0, after.at - before.at)
  const earlier = new Map(before.processes.map(program => [program.pid, program]))
  const others = after.processes.filter(({ pid }) => pid !== after.supervisor)
  const pairs = others.map(program => {
    const was = earlier.get(program.pid)
    return { program, was: was?.startTicks === program.startTicks ? was : undefined }
  })
  const times = pairs.map(({ program, was }) => timesOf(program, was, ms * 1e6))
  const rate = (amount: (program: Process) => number): number => {
    if (ms === 0) return 0
    const sum = pairs.reduce((all, { program, was }) => all + (was ? amount(program) - amount(was) : 0), 0)
    return (Math.max(0, sum) / ms) * 1000
  }
  const isSame =
    pairs.length === before.processes.filter(({ pid }) => pid !== after.supervisor).length &&
    pairs.every(({ was }) => was !== undefined)
  return {
    ms,
    cpu: ms === 0 ? 0 : times.reduce((sum, { cpu }) => sum + cpu, 0) / (ms * 1e6),
    delay: ms === 0 ? 0 : times.reduce((sum, { delay }) => sum + delay, 0) / (ms * 1e6),
    diskRate: rate(({ io }) => (io ? io.readBytes + io.writeBytes : 0)),
    faultRate: rate(({ majorFaults }) => majorFaults),
    isStill: isSame && nodes.every(({ moved, isHousekeeping }) => !moved || isHousekeeping),
  }
}

/** What is new between the looks has used no more than the time between them. */
function timesOf(program: Process, was: Process | undefined, most: number): { cpu: number; delay: number } {
  const before = new Map(was?.threads.map(thread => [thread.tid, thread]))
  let cpu = 0
  let delay = 0
  for (const thread of program.threads) {
    const then = before.get(thread.tid)
    cpu += then ? Math.max(0, thread.cpu - then.cpu) : Math.min(thread.cpu, most)
    delay += then ? Math.max(0, thread.delay - then.delay) : Math.min(thread.delay, most)
  }
  return { cpu, delay }
}

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
  /** Threads that only pass things on, or poll now and then: what may wake them does not count above. */
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

/** A timer that may be a runtime's own: beside what the program waits for it does not count. */
export const isSoon = (wait: ExternalWait): boolean =>
  within(wait, runtimeOf(wait.node.program)?.hasOneClock ? Number.POSITIVE_INFINITY : short.soon)

/** A timer that is worth waiting for. */
export const isFar = (wait: ExternalWait): boolean => wait.source.type === 'timer' && !isTick(wait)
