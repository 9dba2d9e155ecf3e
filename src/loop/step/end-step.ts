/** What the end of an iteration means: how it counts, whether the loop goes on, and after which wait. */

import { defined } from '../../core/defined.ts'
import type { Instant } from '../../core/state.ts'
import { formatDuration } from '../../core/text/duration.ts'
import type { DelayWhy, Happening, Tally } from '../loop-events.ts'
import { isMarkerName, type Marker } from '../marker/marker.ts'
import { delayAfter, idleFor, nextWait, oneMore, resumed, suspended } from './idle-backoff.ts'
import {
  type AgentResult,
  type Delay,
  emit,
  type Input,
  type LoopEffect,
  type LoopState,
  type LoopStep,
  log,
  type Phase,
  type Stop,
} from './loop-state.ts'

export function stopped(state: LoopState, stop: Stop, now: Instant): LoopStep {
  const { outcome, signal } = stop
  const { iteration, tally, startedAt } = state
  return {
    state: { ...state, phase: { kind: 'stopped', outcome } },
    effects: [
      { do: 'no_timer' },
      emit({
        type: 'RUN_STOPPED',
        outcome,
        message: sentence(state, stop),
        ...(signal === undefined ? {} : { signal }),
        iterations: iteration,
        tally,
        duration: now - startedAt,
      }),
      { do: 'stop', stop },
    ],
  }
}

function sentence({ iteration, plan }: LoopState, { outcome, signal, reason }: Stop): string {
  const because = reason === undefined ? '' : `: ${reason}`
  switch (outcome) {
    case 'done':
      return `the agent reports that the work is done${because}`
    case 'max_iterations':
      return iteration === 1 ? 'the one iteration is over' : `all ${iteration} iterations are over`
    case 'idle_max':
      return `there was nothing to do for ${formatDuration(plan.idle?.max ?? 0)}, the most that idle.max allows`
    case 'blocked':
      return `the agent needs a person${because}`
    case 'failed':
      return `iteration ${iteration} failed, and --stop-on-error is set`
    case 'timed_out':
      return `iteration ${iteration} took too long, and --stop-on-error is set`
    case 'limited':
      return `iteration ${iteration} ran into the provider’s limit, and --stop-on-error is set`
    case 'interrupted':
      return 'stopped by Ctrl+C'
    case 'terminated':
      return signal === undefined ? 'stopped' : `stopped by ${signal}`
  }
}

type Kind = 'completed' | 'idle' | 'failed' | 'timedOut' | 'limited'
type Iterating = Extract<Phase, { kind: 'iterating' }>

/** The state after the iteration, what is emitted of it, and what comes next. */
export type AfterIteration = {
  readonly state: LoopState
  readonly effects: readonly LoopEffect[]
  readonly next: { readonly stop: Stop } | { readonly delay: Delay | undefined }
}

export function endIteration(
  before: LoopState,
  phase: Iterating,
  result: AgentResult,
  { now, wall }: Input,
): AfterIteration {
  const kind = kindOf(before, phase, result)
  const marker = kind === 'completed' || kind === 'idle' ? result.marker : undefined
  const note = noteOf(before, marker)
  const state = { ...counted(before, phase, kind, now), isNoted: before.isNoted || note.length > 0 }
  const next = nextOf(state, kind, result, marker, now, wall)
  return {
    state,
    effects: [
      ...(marker ? [reported(state, marker)] : []),
      ...note,
      ...(kind === 'completed' ? passedOver(state, result) : []),
      emit(endOf(state, phase, kind, result, next, now)),
      ...blocked(state, marker),
      ...warned(before, state),
    ],
    next,
  }
}

function kindOf({ plan }: LoopState, { ending }: Iterating, result: AgentResult): Kind {
  if (ending) return ending.why === 'timeout' ? 'timedOut' : 'failed'
  if (result.turn === 'limit') return 'limited'
  if (result.code !== 0 || result.turn === 'error' || result.turn === 'interrupt') return 'failed'
  return plan.idle && result.marker && isRest(result.marker) ? 'idle' : 'completed'
}

/** There is nothing to do for now. A blocked agent with a time is no different. */
const isRest = ({ name, until }: Marker): boolean =>
  name === 'idle' || name === 'waiting' || (name === 'blocked' && until !== undefined)

const reported = ({ iteration }: LoopState, { name, reason, until }: Marker): LoopEffect =>
  emit(defined({ type: 'STATE_REPORTED', iteration, name, isKnown: isMarkerName(name), reason, until }))

/** Without an `idle:` block no marker changes anything: whoever expects it to is told once. */
function noteOf({ plan, isNoted }: LoopState, marker: Marker | undefined): LoopEffect[] {
  if (plan.idle || isNoted || !marker || !isMarkerName(marker.name)) return []
  const what = `the agent reports ${marker.name}, which changes nothing without an idle: block`
  return [log('info', `${what}: add one to the RALPH.md, or run with --idle`)]
}

/** Without an `idle:` block none is missed. */
function passedOver({ plan }: LoopState, { uncounted }: AgentResult): LoopEffect[] {
  if (!plan.idle || !uncounted) return []
  const { name, why } = uncounted
  return [log('warning', `the agent’s message holds the marker ${name}, which does not count: ${why}`)]
}

/** A failure ends idleness; the provider's limit neither ends it nor counts as it. */
function counted(state: LoopState, { from, agentAt = from }: Iterating, kind: Kind, now: Instant): LoopState {
  const { idle: run, tally, ...rest } = state
  const base: LoopState = { ...rest, tally: addTo(tally, kind), limits: 0, quickEnds: 0 }
  if (kind === 'idle') return { ...base, idle: oneMore(run && resumed(run, from), now) }
  if (kind === 'limited' && state.plan.idle)
    return { ...base, limits: state.limits + 1, ...(run ? { idle: suspended(run, from) } : {}) }
  return { ...base, quickEnds: crashBackoff.isQuickEnd(now - agentAt) ? state.quickEnds + 1 : 0 }
}

const addTo = (tally: Tally, kind: Kind): Tally => ({ ...tally, [kind]: tally[kind] + 1 })

function nextOf(
  state: LoopState,
  kind: Kind,
  result: AgentResult,
  marker: Marker | undefined,
  now: Instant,
  wall: number,
): AfterIteration['next'] {
  const { plan } = state
  if (state.stop) return { stop: state.stop }
  if (plan.stopOnError) {
    if (kind === 'failed') return { stop: { outcome: 'failed' } }
    if (kind === 'timedOut') return { stop: { outcome: 'timed_out' } }
    if (kind === 'limited') return { stop: { outcome: 'limited' } }
  }
  if (plan.idle && marker && kind === 'completed') {
    const { name, reason } = marker
    if (name === 'done' || name === 'blocked') return { stop: defined({ outcome: name, reason }) }
  }
  if (state.iteration >= (plan.maxIterations ?? Infinity)) return { stop: { outcome: 'max_iterations' } }
  if (kind === 'idle') return restOf(state, marker, now, wall)
  if (kind === 'limited' && plan.idle) {
    const left = (result.limitUntil ?? now) - now
    return delayed('limit', left > 0 ? left : delayAfter(plan.idle, state.limits), now)
  }
  const least = crashBackoff.waitAfter(state.quickEnds, kind !== 'completed')
  return least > plan.delay ? delayed('at_once', least, now) : delayed('delay', plan.delay, now)
}

function restOf(
  { plan: { idle: rule }, idle: run }: LoopState,
  marker: Marker | undefined,
  now: Instant,
  wall: number,
): AfterIteration['next'] {
  if (!rule || !run) return { delay: undefined }
  const until = marker?.until
  const asked = until && ('at' in until ? until.at - wall : until.in)
  // A time in the past is ignored.
  const wanted = asked !== undefined && asked > 0 ? asked : undefined
  const wait = nextWait(rule, run, now, wanted)
  if (wait === undefined) return { stop: { outcome: 'idle_max' } }
  const wallTime = wanted !== undefined && until && 'at' in until ? { untilWall: until.at } : {}
  return delayed(wanted === undefined ? 'idle' : 'until', wait, now, wallTime)
}

function delayed(
  why: DelayWhy,
  ms: number,
  now: Instant,
  more: { untilWall?: number } = {},
): AfterIteration['next'] {
  return { delay: ms > 0 ? { why, from: now, until: now + ms, ...more } : undefined }
}

function endOf(
  { iteration, plan, idle: run }: LoopState,
  { from, ending }: Iterating,
  kind: Kind,
  result: AgentResult,
  next: AfterIteration['next'],
  now: Instant,
): Happening {
  const { code, signal, error, marker } = result
  const ended = defined({ iteration, duration: now - from, resultText: result.resultText })
  switch (kind) {
    case 'completed':
      return { type: 'ITERATION_COMPLETED', ...ended }
    case 'idle':
      return {
        type: 'ITERATION_IDLE',
        ...ended,
        state: marker?.name === 'waiting' || marker?.name === 'blocked' ? marker.name : 'idle',
        ...(marker?.reason === undefined ? {} : { reason: marker.reason }),
        idleCount: run?.count ?? 0,
        idleFor: run ? idleFor(run, now) : 0,
        nextDelay: 'stop' in next ? null : next.delay ? next.delay.until - next.delay.from : 0,
      }
    case 'timedOut':
      return { type: 'ITERATION_TIMED_OUT', ...ended, timeout: plan.timeout ?? 0 }
    case 'failed':
    case 'limited': {
      const problem = result.notStarted ?? error
      return {
        type: 'ITERATION_FAILED',
        ...ended,
        reason: ending ? 'stopped' : reasonOf(kind, result),
        ...defined({ exitCode: code, signal, error: problem }),
      }
    }
  }
}

function reasonOf(kind: 'failed' | 'limited', { code, signal, notStarted }: AgentResult) {
  if (kind === 'limited') return 'limit'
  if (notStarted !== undefined) return 'not_started'
  if (signal !== undefined) return 'signal'
  return code === 0 ? 'turn' : 'exit'
}

function blocked({ iteration, plan }: LoopState, marker: Marker | undefined): LoopEffect[] {
  if (!plan.idle || marker?.name !== 'blocked') return []
  return [emit(defined({ type: 'BLOCKED', iteration, by: 'marker', reason: marker.reason }))]
}

/** Reported once, when it begins to slow the loop down. */
const warned = (before: LoopState, { quickEnds }: LoopState): LoopEffect[] =>
  quickEnds === crashBackoff.free + 1 && before.quickEnds === crashBackoff.free
    ? [
        log(
          'warning',
          `the agent has ended ${quickEnds} times in a row within a second: the loop waits between runs now`,
        ),
      ]
    : []

/** Nothing that asks a model ends within this time: the quickest recorded run of a CLI took 0.4 s only to start. */
const quickMs = 1000
/** Runs that may be that quick: a script that works off a short list is no slower for it. */
const free = 5
/** As often as a person could look. */
const longestWait = 60_000
/** Far beyond what reaches the longest wait. */
const mostDoublings = 30

export const crashBackoff = {
  free,
  isQuickEnd: (ms: number): boolean => ms < quickMs,
  /**
   * The least wait after so many runs in a row that ended at once: none for the first ones; then 1 s where they
   * succeed, and 1, 2, 4, … 60 s where they fail.
   */
  waitAfter(count: number, isFailure: boolean): number {
    if (count <= free) return 0
    if (!isFailure) return quickMs
    return Math.min(longestWait, quickMs * 2 ** Math.min(mostDoublings, count - free - 1))
  },
}
