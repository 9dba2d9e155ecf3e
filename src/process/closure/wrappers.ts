/**
 * Wrappers: init shims, sandboxes, `xargs`, `script`, the parts of a pipeline. Each waits for another program that does not wait for
 * it, and may be woken by a signal that it passes on, or by a clock of its own. None of that gives the other one what it waits
 * for; it may end it, and whether that comes can't be seen.
 */
import type { Process } from '../snapshot.ts'
import type { ExternalSource, Graph, Node } from './wait-graph.ts'
import { edgesOf, externalsOf, isLive, reach } from './wait-graph.ts'

/** A clock that only looks whether it is over yet: what fires later may be a limit. */
const longestTick = 2000

/** Those of them that something of their own may wake. */
export const wrappersOf = (graph: Graph): ReadonlySet<Node> =>
  new Set(graph.nodes.filter(node => isWrapper(graph, node, externalsOf(node).filter(isLive))))

/** It moves now and then, and that says nothing. */
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
