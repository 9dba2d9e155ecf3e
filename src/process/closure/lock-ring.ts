/** Locks that are held in a ring: each thread waits for a lock that the next one holds, and none of them ever lets go. */

import type { ClosureView } from './closure-view.ts'
import { edgesOf, externalsOf, type Node } from './wait-graph.ts'

/** The first ring, in order; empty where there is none. Timed waits, and waits for anything else, are no part of one. */
export function ringOf({ graph, reached }: ClosureView): readonly Node[] {
  const next = (node: Node): Node | undefined => {
    const [edge, ...more] = edgesOf(node)
    if (edge?.via !== 'lock' || more.length > 0 || node.moved) return undefined
    // A signal ends the wait for a file's lock (that is how `flock -w` gives up), and none for a mutex.
    const isMutex = node.call.type === 'futex'
    if (externalsOf(node).some(({ type }) => !isMutex || (type !== 'alarm' && type !== 'signal')))
      return undefined
    const [target, ...others] = graph.targets(edge)
    // A file lock belongs to a process: only where that is a single thread is it known who has to let go.
    return others.length === 0 ? target : undefined
  }
  const ordered = [...reached.keys(), ...graph.nodes.filter(node => !reached.has(node))]
  for (const start of ordered) {
    const path: Node[] = []
    for (let node: Node | undefined = start; node !== undefined; node = next(node)) {
      const at = path.indexOf(node)
      if (at >= 0) return path.slice(at)
      path.push(node)
    }
  }
  return []
}
