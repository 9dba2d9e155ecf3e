/** Rules for a tree in which the root's thread depends on nothing live: input that nobody writes, output, or each other. */

import { type ClosureView, livingOf, of, type ThreadWait } from './closure-view.ts'
import type { ClosureFinding, ClosureRule } from './finding.ts'
import { runtimeOf } from './runtimes.ts'
import { type Edge, edgesOf, externalsOf, type Node, reach } from './wait-graph.ts'

/** Input that the supervisor could write and does not owe. What else lives here could end the wait in another way. */
export const stdin: ClosureRule = view => {
  const [leaf] = of(view.own, 'input')
  if (!leaf) return undefined
  const living = livingOf(view.own)
  const isTerminal = leaf.source.what.startsWith('the terminal')
  return {
    cause: 'stdin',
    ...weighed(view),
    leaf,
    isTerminal,
    advice: isTerminal
      ? 'answer it, or run it without a terminal'
      : 'close its stdin, or run it with </dev/null',
    doubts: [...new Set(living.map(({ source }) => doubts[source.type] ?? `${source.what} may wake it`))],
  }
}

const doubts: Readonly<Record<string, string>> = {
  timer: 'a timer of it fires within seconds, perhaps again and again',
  alarm: 'a signal timer that can’t be seen may end it',
  signal: 'a signal may wake it',
  resting: 'an idle connection of it may be a stream that pauses',
}

/** How much an end proves, given what else lives. */
function weighed({ own }: ClosureView): Pick<ClosureFinding, 'proof' | 'isBlocked' | 'isOpen'> {
  const living = livingOf(own)
  if (living.length === 0) return { proof: 'proven', isBlocked: true }
  const isAlarm =
    of(own, 'alarm').length > 0 &&
    living.every(({ source }) => source.type === 'alarm' || source.type === 'signal')
  const isOpen = living.some(
    ({ node, source }) => source.type === 'signal' || runtimeOf(node.program)?.hasOneClock === true,
  )
  return isAlarm ? { proof: 'bounded', isBlocked: false } : { proof: 'inferred', isBlocked: false, isOpen }
}

/** All that the tree waits for is the tree. */
export function closed(view: ClosureView): ClosureFinding {
  const nodes = [...view.reached.keys()]
  const edges = nodes.flatMap(node => edgesOf(node).map(source => ({ node, source })))
  const locked = edges.find(place => place.source.via === 'lock' && comesBack(view, place))
  if (locked)
    return {
      cause: 'deadlock',
      ...weighed(view),
      leaf: locked,
      advice: 'end it, and have its locks taken in one order',
    }
  const [alarm] = of(view.own, 'alarm')
  if (alarm) return { cause: 'timer', proof: 'bounded', isBlocked: false, leaf: alarm }
  const full = edges.find(({ source }) => source.via === 'write')
  if (full)
    return {
      cause: 'output',
      ...weighed(view),
      leaf: full,
      advice: 'read its output while it runs, or send it to a file',
    }
  const leaf = deepest(view, nodes)
  return {
    cause: 'closed_wait',
    ...weighed(view),
    ...(leaf ? { leaf } : {}),
    advice: 'end it: whatever it waits for can only come from itself',
  }
}

/**
 * That any thread of a process could wake it makes no ring: who holds a lock and waits for a word that nobody gives is where
 * the chain ends.
 */
const comesBack = ({ graph }: ClosureView, { node, source }: { node: Node; source: Edge }): boolean =>
  reach(graph, graph.targets(source), ({ via }) => via !== 'own').has(node)

/** The thread that most is waited through for; workers without work, that nobody asks for, only wait for their own process. */
function deepest({ main, reached }: ClosureView, nodes: readonly Node[]): ThreadWait | undefined {
  const waitingBeyond = nodes.filter(node =>
    node.sources.some(source => source.type !== 'edge' || source.via !== 'own'),
  )
  const isMeant = (one: Node): boolean => reached.get(one)?.edge.tid !== undefined
  // A thread that has ended with a lock in its hands waits for nothing: who waits for it is where the chain ends.
  const waiting = nodes.filter(one => one.sources.length > 0)
  const node = waiting.filter(one => waitingBeyond.includes(one) || isMeant(one)).at(-1) ?? main[0]
  const source =
    node && (externalsOf(node)[0] ?? edgesOf(node).find(({ via }) => via !== 'own') ?? edgesOf(node)[0])
  return node && source ? { node, source } : undefined
}
