/** What must hold for a row of the table (`transitions.ts`): each a question to the state and what came in. */
import type { Instant } from '../../core/state.ts'
import { formatDuration } from '../../core/text/duration.ts'
import type { Timers } from '../plan/plan.ts'
import type { ActResult, IdleBy, RespawnInput, RespawnState } from './respawn-state.ts'
import {
  askSettledMs,
  failureWaits,
  lateHooksMs,
  mostRecoveries,
  mostWithoutTurn,
  refusedWaitMs,
  relaunchWaits,
  relaunchWindowMs,
  startReportMs,
} from './respawn-state.ts'

type Guard = (state: RespawnState, input: RespawnInput) => boolean

/** The judge's answer is about what is still seen. */
const isJudgedIdle = ({ seen, judged }: RespawnState): boolean =>
  judged !== undefined && judged.says === 'IDLE' && judged.since === seen.since

const isIdle = (state: RespawnState): boolean => state.seen.is === 'idle' || isJudgedIdle(state)

/** When the next step may be typed, whatever is seen. One that is passed over takes its wait with it. */
export function freeAt({ notBefore, overAt, plan, next }: RespawnState): Instant {
  if (overAt === undefined) return notBefore
  return Math.max(notBefore, overAt + Math.max(plan.steps[next]?.after ?? 0, plan.timers.pause))
}

const isFree = (state: RespawnState, now: Instant): boolean =>
  !state.mayBeTyped && now >= freeAt(state) && isNoLongerRefused(state, now)

const isNoLongerRefused = ({ refused, seen }: RespawnState, now: Instant): boolean =>
  !refused || seen.since > refused.since || now >= refused.at + refusedWaitMs

/** The end of a sentence on a pause for a person; empty where a plan does not wait for one. */
export const goesOnIn = ({ person }: Timers): string =>
  person > 0 ? `; it goes on by itself ${formatDuration(person)} after the last key of a person` : ''

export const isPersonNear = ({ personAt, plan }: RespawnState, now: Instant): boolean =>
  personAt !== undefined && now < personAt + plan.timers.person

/** From when on an idleness of its kind counts; never, where a judge has to answer first. */
export function confirmedAt(state: RespawnState): Instant {
  const { seen, plan } = state
  const { timers } = plan
  if (isJudgedIdle(state)) return seen.since
  if (seen.is !== 'idle') return Infinity
  switch (seen.by) {
    case 'prompted':
      return seen.since
    case 'reported':
      return seen.since + timers.held
    case 'hooks_due':
      return seen.since + Math.max(timers.held, lateHooksMs)
    case 'shown':
      return seen.since + timers.silence
    default:
      return Infinity
  }
}

export const isReported = (by: IdleBy | undefined): boolean =>
  by === 'prompted' || by === 'reported' || by === 'hooks_due'

/** Not while it is open whether a step was typed: the answer to that comes soon. */
export const canJudge = ({ plan, isJudgeOff, mayBeTyped }: RespawnState): boolean =>
  plan.hasJudge && !isJudgeOff && !mayBeTyped

/** When it has been idle by its looks for long enough to ask the judge. */
export function quietAt({ seen, plan: { timers }, inFlight }: RespawnState): Instant {
  const wait = seen.is === 'unknown' ? timers.unknown : timers.silence
  return Math.max(seen.since, inFlight?.at ?? -Infinity) + wait
}

const isConfirmed = (state: RespawnState, now: Instant): boolean =>
  isIdle(state) && now >= confirmedAt(state) && isFree(state, now)

/** A judge that is there is asked wherever nothing was reported. */
const isSureByLooks: Guard = (state, { now }) =>
  (isJudgedIdle(state) || !canJudge(state)) && isConfirmed(state, now)

const isTurn = ({ inFlight, plan }: RespawnState): boolean => {
  const act = inFlight && plan.steps[inFlight.step]?.act.do
  return act !== 'command' && act !== 'keys'
}

const hasEnded: Guard = (state, { now }) => {
  const { inFlight, seen } = state
  if (!isIdle(state) || inFlight === undefined) return false
  if (isJudgedIdle(state)) return true
  return inFlight.hasBegun && (seen.after !== undefined || now >= endReportedAt(state))
}

/** Idleness may be seen before the reason of a turn's end (a limit, an error) is reported. Nothing is sent before that. */
export const endReportedAt = ({ seen, plan }: RespawnState): Instant => seen.since + plan.timers.held

const hasBegunNone: Guard = (state, { now }) => {
  const { inFlight, plan } = state
  if (!inFlight || inFlight.hasBegun || !isIdle(state)) return false
  return isTurn(state) && now >= inFlight.at + plan.timers.begin
}

const needsNoTurn: Guard = (state, { now }) =>
  state.inFlight !== undefined && isIdle(state) && !isTurn(state) && now >= state.inFlight.at + startReportMs

const isResult =
  (...kinds: readonly ActResult['is'][]): Guard =>
  (_, input) =>
    input.type === 'acted' && kinds.includes(input.result.is)

const isOfStep = ({ attemptIs }: RespawnState): boolean => attemptIs === 'step'

const limitOf = ({ seen, limitWaited }: RespawnState): boolean =>
  (seen.limit !== undefined || seen.after === 'limit') && limitWaited !== seen.since

const isStuckFor = (state: RespawnState, now: Instant, ms: number): boolean =>
  state.seen.stuckSince !== undefined && now >= state.seen.stuckSince + ms

const isAwayAgain = (state: RespawnState, now: Instant): boolean =>
  state.pause === 'person' && !isPersonNear(state, now) && state.seen.is !== 'waiting'

const hasChanged = ({ seen, judgingSince }: RespawnState): boolean => judgingSince !== seen.since
const isEndSeen = (state: RespawnState): boolean => isIdle(state) && isReported(state.seen.by)

/** In a pause it waits for the pause's end: a person is there, or paused it. */
function mayStartAgain({ seen, plan, relaunches }: RespawnState, now: Instant): boolean {
  if (seen.is !== 'exited' || !seen.isCrash || plan.relaunch === undefined) return false
  const recent = relaunches.filter(at => at > now - relaunchWindowMs)
  return recent.length < relaunchWaits.length
}

export const guards = {
  always: () => true,
  'the agent has ended': (state, { now }) => {
    const { seen, phase, attemptIs } = state
    if (seen.is !== 'exited' || (phase === 'sending' && attemptIs === 'start')) return false
    return phase !== 'paused' || !mayStartAgain(state, now)
  },
  'it crashed, and may be started again': (state, { now }) => mayStartAgain(state, now),
  'the time is over': ({ plan, startedAt }, { now }) => plan.for !== undefined && now >= startedAt + plan.for,
  'it has cost as much as it may': ({ plan, seen }) =>
    plan.maxCost !== undefined && (seen.cost ?? 0) >= plan.maxCost,
  'all cycles are done': ({ plan, cycle, inFlight }) =>
    inFlight === undefined && plan.times !== undefined && cycle > plan.times,
  'the person is away again, in a step': (state, { now }) =>
    isAwayAgain(state, now) && state.inFlight !== undefined,
  'the person is away again': (state, { now }) => isAwayAgain(state, now),
  'the person went on by themselves': state =>
    state.pause === 'interrupted' && isIdle(state) && state.seen.after !== 'interrupt',
  'a step is being typed': isOfStep,
  'the step was typed': (state, input) => isOfStep(state) && isResult('sent')(state, input),
  'it was called off': ({ isCalledOff }) => isCalledOff === true,
  'a step may have been typed': ({ mayBeTyped }) => mayBeTyped === true,
  'it had been typed by then': (state, input) => state.mayBeTyped === true && isResult('sent')(state, input),
  'it was done': isResult('sent'),
  'its condition does not hold': isResult('passed'),
  '`until` holds': isResult('done'),
  'a person was there': isResult('person'),
  'the session is gone': isResult('gone'),
  'it was not ready after all': isResult('refused'),
  'it failed too often': (state, input) =>
    isResult('failed')(state, input) && state.failures >= failureWaits.length,
  'it failed': isResult('failed'),
  'it asks a person': ({ seen }) => seen.is === 'waiting',
  'its question stays, and is unreported': ({ seen, asked }, { now }) =>
    seen.is === 'waiting' &&
    now >= seen.since + askSettledMs &&
    (asked?.since !== seen.since || asked.for !== seen.for),
  'it asks no more, in a step': ({ seen, inFlight }) => seen.is !== 'waiting' && inFlight !== undefined,
  'it asks no more': ({ seen }) => seen.is !== 'waiting',
  'a limit was reached': limitOf,
  'the limit is over': ({ limitUntil }, { wall }) => limitUntil !== undefined && wall >= limitUntil,
  'a person broke the turn off': (state, input) => hasEnded(state, input) && state.seen.after === 'interrupt',
  'turns failed too often': (state, input) =>
    hasEnded(state, input) && state.seen.after === 'error' && state.failures >= failureWaits.length,
  'the turn failed': (state, input) => hasEnded(state, input) && state.seen.after === 'error',
  'its turn is over': (state, input) => hasEnded(state, input) || needsNoTurn(state, input),
  'steps began no turn too often': (state, input) =>
    hasBegunNone(state, input) && state.withoutTurn + 1 >= mostWithoutTurn,
  'it began no turn': hasBegunNone,
  'it is idle no more': state => !isIdle(state),
  'something has changed': hasChanged,
  'something has changed, in a step': state => hasChanged(state) && state.inFlight !== undefined,
  'it has been stuck for long': (state, { now }) =>
    isStuckFor(state, now, state.plan.timers.recovery) &&
    state.plan.recover.length > 0 &&
    state.recoveries < mostRecoveries &&
    isFree(state, now),
  'it is stuck': (state, { now }) =>
    isStuckFor(state, now, state.plan.timers.stuck) && state.stuckReported !== state.seen.stuckSince,
  'an end was reported': isEndSeen,
  'an end was reported, in a step': state => isEndSeen(state) && state.inFlight !== undefined,
  'it looks idle': isIdle,
  'nothing is known for long, and the judge may be asked': (state, { now }) =>
    state.seen.is === 'unknown' && canJudge(state) && now >= quietAt(state) && now >= state.judgeAt,
  'it is quiet, and the judge may be asked': (state, { now }) =>
    canJudge(state) &&
    !isJudgedIdle(state) &&
    isFree(state, now) &&
    now >= quietAt(state) &&
    now >= state.judgeAt,
  'it is confirmed, and a person is there': (state, { now }) =>
    isConfirmed(state, now) && isPersonNear(state, now),
  'it is confirmed': (state, { now }) => isConfirmed(state, now),
  'it is quiet and sure, and a person is there': (state, input) =>
    isSureByLooks(state, input) && isPersonNear(state, input.now),
  'it is quiet and sure': isSureByLooks,
  'a step is not over': ({ inFlight }) => inFlight !== undefined,
} as const satisfies Readonly<Record<string, Guard>>

export type GuardName = keyof typeof guards
