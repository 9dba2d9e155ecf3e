/** Rules for a tree that something outside of it, or a clock, can still move. */

import { type ClosureView, type ExternalWait, isFar, isSoon, isTick, livingOf, of } from './closure-view.ts'
import type { ClosureFinding, ClosureRule } from './finding.ts'
import { type ExternalSource, externalsOf, type Node, reach } from './wait-graph.ts'

const inferred = (
  cause: ClosureFinding['cause'],
  leaf: ExternalWait,
  more: Partial<ClosureFinding> = {},
): ClosureFinding => ({
  cause,
  proof: 'inferred',
  isBlocked: false,
  leaf,
  ...more,
})

const first = (
  externals: readonly ExternalWait[],
  ...types: ExternalSource['type'][]
): ExternalWait | undefined => types.map(type => of(externals, type)[0]).find(found => found !== undefined)

export const network: ClosureRule = ({ externals }) => {
  const found = first(externals, 'network', 'connecting')
  return found && inferred(found.source.type === 'network' ? 'network' : 'connecting', found)
}

/** No byte is under way, and no probe: the peer may be slow or gone. */
export const silentPeer: ClosureRule = view => {
  const found = first(view.externals, 'silent')
  if (!found) return undefined
  const far = view.own.filter(isFar)
  if (far.length > 0) return inferred('network', found, { proof: 'bounded', until: soonest(view, far) })
  const advice = 'ask the peer in another way, or give the connection keepalive or a timeout'
  return inferred('unknown', found, {
    proof: 'unknown',
    advice,
    doubts: ['a slow peer and a vanished one look the same'],
  })
}

/** The kernel itself gives up some day: net.ipv4.tcp_retries2 and tcp_syn_retries, about 15 and 2 minutes by default. */
export const dead: ClosureRule = view => {
  const found = first(view.own, 'dead_peer', 'unreachable')
  const isElse = livingOf(view.own).some(
    one => !['timer', 'alarm', 'signal', 'resting'].includes(one.source.type),
  )
  if (!found || isElse) return undefined
  const far = view.own.filter(isFar)
  const isPeer = found.source.type === 'dead_peer'
  return inferred(isPeer ? 'dead_peer' : 'unreachable', found, {
    proof: 'bounded',
    advice: isPeer
      ? 'see whether the peer and the way to it still live'
      : 'see whether the peer listens, and is not full',
    doubts: [`the kernel gives up by itself, as a rule after ${isPeer ? '15' : '2'} min`],
    ...(far.length > 0 ? { until: soonest(view, far) } : {}),
  })
}

/** The finding for a wait on one type of source alone. */
const alone =
  (
    type: ExternalSource['type'],
    cause: ClosureFinding['cause'],
    more: Partial<ClosureFinding> = {},
  ): ClosureRule =>
  ({ own }) => {
    const found = first(own, type)
    return found && inferred(cause, found, more)
  }

/** The same, and nothing next to input that nobody writes. */
const withoutInput =
  (rule: ClosureRule): ClosureRule =>
  view =>
    of(view.own, 'input').length > 0 ? undefined : rule(view)

export const outsider = alone('outsider', 'outsider')

/** Output that is full. Whoever reads it may be slow, or wait for a person: only the supervisor knows about itself. */
export const output: ClosureRule = ({ own, tree }) => {
  const found = first(own, 'reader')
  if (!found) return undefined
  const isOurs = found.source.pids.includes(tree.snapshot.supervisor)
  const living = livingOf(own).filter(({ source }) => source.type !== 'reader')
  const isStuck = isOurs && tree.options.drains === false && living.length === 0
  return inferred('output', found, {
    advice: 'read its output, or send it to a file',
    ...(isStuck ? { proof: 'proven', isBlocked: true } : { doubts: ['its reader lives, and may read on'] }),
  })
}

export const unexplained = alone('unknown', 'unknown', { proof: 'unknown' })

/** It counts for nothing beside a clock or a client; without either, it is unknown whether anybody writes. */
export const unseen = alone('unseen', 'unknown', { proof: 'unknown' })

/** Only a clock can wake it; what else it waits for nobody gives. */
export const timer: ClosureRule = view => {
  const isElse = of(view.own, 'input', 'person').length > 0
  // A server looks after its connections by a clock (node's http does each 30 s), and has no work for all that.
  const servers = new Set(of(view.own, 'server').map(({ node }) => node.program))
  const all = view.own.filter(one => isFar(one) && !servers.has(one.node.program))
  const long = all.filter(one => !isSoon(one))
  const far = long.length > 0 || isElse ? long : all
  const [found] = far
  if (!found) return undefined
  const until = soonest(view, far)
  const leaf = far.find(({ source }) => view.tree.snapshot.at + (source.ms ?? -1) === until) ?? found
  const [input] = of(view.own, 'input')
  const doubts = input
    ? [`meanwhile ${view.tree.nameOf(input.node.program.pid)} waits for ${input.source.what}`]
    : []
  return inferred('timer', leaf, { ...(Number.isFinite(until) ? { proof: 'bounded', until } : {}), doubts })
}

/** When the first of them fires at the latest; never, where none could be read. */
const soonest = ({ tree }: ClosureView, far: readonly ExternalWait[]): number =>
  tree.snapshot.at + Math.min(...far.map(({ source }) => source.ms ?? Number.POSITIVE_INFINITY))

/** Anyone may connect to a server at any time: that it has no work, and reads a stdin that nobody writes, is no fault. */
export const server = alone('server', 'server')

/** Input for which somebody else could be waited: a person at a terminal, a program that holds the other end. */
export const awaited: ClosureRule = ({ own }) => {
  const found = first(own, 'person')
  const isTerminal = found?.source.what.startsWith('the terminal') === true
  return (
    found && inferred('stdin', found, { isTerminal, doubts: ['whoever holds the other end may still write'] })
  )
}

export const ticking = withoutInput(({ own }) => {
  const found = own.find(isTick)
  return found && inferred('ticking', found)
})

/** Something ran although nothing that it waits for is known to have come, and no clock explains it: it gets on. */
export const progressing: ClosureRule = view => {
  const { graph, motion } = view
  if (motion.isStill) return undefined
  const moved = graph.nodes.filter(node => node.moved && !node.isHousekeeping)
  const node = moved.find(one => !isTimed(view, one))
  const computing = { cause: 'computing', proof: 'inferred', isBlocked: false } as const
  if (moved.length === 0) return { ...computing, summary: 'its processes come and go' }
  const source = node?.sources[0]
  return (
    node && {
      ...computing,
      ...(source ? { leaf: { node, source } } : {}),
      summary: 'its threads wake each other',
    }
  )
}

const isTimed = ({ graph }: ClosureView, node: Node): boolean =>
  [...reach(graph, [node]).keys()].some(one => externalsOf(one).some(({ type }) => type === 'timer'))

/** A connection that rests may be one of a pool that nobody uses, or a stream that pauses. */
export const resting = withoutInput(
  alone('resting', 'network', { doubts: ['an idle connection and a paused stream look the same'] }),
)

export const signal = withoutInput(alone('signal', 'signal'))
