/**
 * Respawn as a pure step: sightings and results of attempts in, the next state and effects out. The rules are in
 * one table (`transitions.ts`); the runner carries it out.
 */
import type { Instant } from '../../core/state.ts'
import type { RespawnPlan } from '../plan/plan.ts'
import { actions } from './actions.ts'
import { canJudge, confirmedAt, endReportedAt, freeAt, guards, isPersonNear, quietAt } from './guards.ts'
import type { RespawnEffect, RespawnInput, RespawnState, RespawnStep, Sighting } from './respawn-state.ts'
import { askSettledMs, refusedWaitMs, startReportMs, wallCheckMs } from './respawn-state.ts'
import { followed } from './step-turn.ts'
import { type Transition, transitions } from './transitions.ts'

export const newRespawn = (plan: RespawnPlan, seen: Sighting, now: Instant): RespawnState => ({
  plan,
  phase: 'watching',
  since: now,
  startedAt: now,
  seen,
  next: 0,
  cycle: 1,
  notBefore: now,
  attempt: 0,
  attemptIs: 'step',
  failures: 0,
  withoutTurn: 0,
  passed: 0,
  recoveries: 0,
  relaunches: [],
  judgeAt: now,
  isJudgeOff: false,
  tally: {
    sent: 0,
    turns: 0,
    accepted: 0,
    judged: 0,
    judgeAvoided: 0,
    limits: 0,
    blocked: 0,
    recovered: 0,
  },
})

/** Rows that follow one another at one instant: an idleness that is seen, confirmed and acted upon. */
const mostRows = 8

export function step(before: RespawnState, input: RespawnInput): RespawnStep {
  if (before.phase === 'stopped' || isOfAnotherAttempt(before, input)) return { state: before, effects: [] }
  let state = filed(before, input)
  let next = input
  const effects: RespawnEffect[] = []
  for (let rows = 0; rows < mostRows; rows++) {
    const row = transitions.find(one => fits(one, state, next))
    if (!row) break
    const { to } = row
    if (to !== undefined && to !== state.phase && to !== 'stopped')
      effects.push({ do: 'tell', event: { type: 'phase', phase: to }, why: state.seen.why })
    for (const name of row.does) {
      const done = actions[name](state, next)
      state = done.state
      effects.push(...done.effects)
    }
    if (to !== undefined && to !== state.phase) state = { ...state, phase: to, since: input.now }
    if (to === 'stopped') return { state, effects }
    next = { type: 'time', now: input.now, wall: input.wall }
  }
  const at = lookAgainAt(state, input)
  return { state, effects: at < Infinity ? [...effects, { do: 'timer', at }] : effects }
}

const isOfAnotherAttempt = ({ attempt }: RespawnState, input: RespawnInput): boolean =>
  (input.type === 'acted' || input.type === 'judged') && input.attempt !== attempt

const fits = ({ from, on, if: guard }: Transition, state: RespawnState, input: RespawnInput): boolean =>
  from.includes(state.phase) && on === onOf(input) && guards[guard](state, input)

const onOf = ({ type }: RespawnInput): Transition['on'] =>
  type === 'seen' || type === 'time' || type === 'person' ? 'look' : type

/** What is known before any row is looked for. */
function filed(state: RespawnState, input: RespawnInput): RespawnState {
  switch (input.type) {
    case 'seen':
      return sighted(state, input.seen, input.now)
    case 'person':
      return { ...state, personAt: input.now }
    default:
      return state
  }
}

function sighted(state: RespawnState, newest: Sighting, now: Instant): RespawnState {
  const { inFlight, seen: before, phase } = state
  // The reason of a turn's end may come a while after the end. It is the same idleness.
  const isSameIdle = newest.is === 'idle' && before.is === 'idle' && newest.turn === before.turn
  const seen = isSameIdle ? { ...newest, since: Math.min(newest.since, before.since) } : newest
  // What was seen until now may have lasted for long enough by now.
  const step = inFlight && followed(followed(inFlight, before, now), seen, now)
  const next = { ...state, seen, ...(step ? { inFlight: step } : {}) }
  // A step's turn may begin before the typing is reported.
  const isForeign =
    seen.turn > before.turn &&
    before.is !== 'unknown' &&
    // What went on beside its turn wakes it: nobody has typed there.
    before.isBeside !== true &&
    phase !== 'sending' &&
    !state.mayBeTyped &&
    !isAhead(state)
  return isForeign ? { ...next, personAt: now } : next
}

/** Reports about a step's turn are still coming in. */
const isAhead = ({ inFlight, seen }: RespawnState): boolean =>
  inFlight !== undefined && seen.turn <= Math.max(inFlight.before.turn, inFlight.another ?? 0)

/** The next instant at which a guard may come to hold by time alone. */
function lookAgainAt(state: RespawnState, { now, wall }: RespawnInput): Instant {
  const { plan, refused, personAt, inFlight, seen, limitUntil, startedAt, judgeAt } = state
  const { timers } = plan
  const all = [
    freeAt(state),
    seen.is === 'waiting' ? seen.since + askSettledMs : Infinity,
    refused ? refused.at + refusedWaitMs : Infinity,
    confirmedAt(state),
    canJudge(state) ? Math.max(quietAt(state), judgeAt, freeAt(state)) : Infinity,
    isPersonNear(state, now) && personAt !== undefined ? personAt + timers.person : Infinity,
    inFlight ? inFlight.at + timers.begin : Infinity,
    inFlight ? inFlight.at + startReportMs : Infinity,
    inFlight ? endReportedAt(state) : Infinity,
    seen.stuckSince === undefined ? Infinity : seen.stuckSince + timers.stuck,
    seen.stuckSince === undefined ? Infinity : seen.stuckSince + timers.recovery,
    limitUntil === undefined || state.phase !== 'limited'
      ? Infinity
      : now + Math.min(wallCheckMs, Math.max(limitUntil - wall, 1)),
    plan.for === undefined ? Infinity : startedAt + plan.for,
  ]
  return Math.min(...all.filter(at => at > now))
}
