/** What a row of the table (`transitions.ts`) does: the next state and the effects of each action. */
import { defined } from '../../core/defined.ts'
import { goesOnIn, isReported } from './guards.ts'
import {
  failureWaits,
  type PlanEvent,
  passedWaitMs,
  type RespawnEffect,
  type RespawnInput,
  type RespawnState,
  type RespawnStep,
  type RespawnTally,
  refusedWaitMs,
  relaunchWaits,
  relaunchWindowMs,
  type StopWhy,
} from './respawn-state.ts'
import { beforeEnter, followed, nextStep } from './step-turn.ts'

type Action = (state: RespawnState, input: RespawnInput) => RespawnStep

const only = (state: RespawnState, ...effects: readonly RespawnEffect[]): RespawnStep => ({ state, effects })
const tell = (event: PlanEvent, why: string): RespawnEffect => ({ do: 'tell', event, why })

const counted = (tally: RespawnTally, name: keyof RespawnTally): RespawnTally => ({
  ...tally,
  [name]: tally[name] + 1,
})

/** Of an answer its own reason; else the evidence. */
const whyOf = ({ seen }: RespawnState, input: RespawnInput): string => {
  if (input.type === 'acted') return input.result.why ?? seen.why
  return 'why' in input ? input.why : seen.why
}

const stop =
  (why: StopWhy): Action =>
  (state, input) =>
    only(
      { ...without(state, 'inFlight'), stop: why },
      tell({ type: 'stopped', outcome: why }, whyOf(state, input)),
      { do: 'stop', why },
    )

function without<Key extends keyof RespawnState>(
  state: RespawnState,
  ...keys: readonly Key[]
): Omit<RespawnState, Key> {
  const rest = Object.entries(state).filter(([key]) => !(keys as readonly string[]).includes(key))
  return Object.fromEntries(rest) as Omit<RespawnState, Key>
}

/** A turn that goes on ends as it would; a limit and a pause stay. */
function skip(state: RespawnState): RespawnStep {
  const { next: step, cycle } = state
  const rest = { ...without(state, 'isCalledOff', 'mayBeTyped'), ...nextStep(state) }
  return only(rest, tell({ type: 'skipped', step, cycle }, 'asked to'))
}

const begin = (state: RespawnState, attemptIs: RespawnState['attemptIs']): RespawnState => ({
  ...without(state, 'judged', 'mayBeTyped'),
  attempt: state.attempt + 1,
  attemptIs,
})

/** An end was reported where a judge would have been asked; each is counted once. */
function avoided(state: RespawnState): RespawnState {
  const { plan, seen, avoidedOf, tally } = state
  if (!plan.hasJudge || seen.is !== 'idle' || !isReported(seen.by) || avoidedOf === seen.since) return state
  return { ...state, avoidedOf: seen.since, tally: counted(tally, 'judgeAvoided') }
}

export const actions = {
  'stop: asked': stop('asked'),
  'stop: exited': stop('exited'),
  'stop: gone': stop('gone'),
  'stop: time': stop('time'),
  'stop: cost': stop('max_cost'),
  'stop: times': stop('times'),
  'stop: done': stop('done'),
  'stop: failed': stop('failed'),
  'stop: no progress': stop('no_progress'),

  /** What is on its way is dropped when it comes; of a step that is being typed it still counts that Enter was pressed. */
  abandon: state => {
    const isStep = state.phase === 'sending' && state.attemptIs === 'step'
    if (isStep || state.mayBeTyped) return only({ ...state, mayBeTyped: true }, { do: 'abandon' })
    return only({ ...state, attempt: state.attempt + 1 }, { do: 'abandon' })
  },
  'pause: asked': state =>
    state.pause === 'asked'
      ? only(state)
      : only({ ...state, pause: 'asked' }, tell({ type: 'paused', by: 'asked' }, 'asked to')),
  'pause: person': (state, input) =>
    only({ ...state, pause: 'person' }, tell({ type: 'paused', by: 'person' }, personWhy(state, input))),
  'pause: interrupted': state =>
    only(
      { ...state, pause: 'interrupted' },
      tell({ type: 'paused', by: 'interrupted' }, `a person broke the turn off: ${state.seen.why}`),
    ),
  resume: (state, input) =>
    only(
      without(state, 'pause'),
      tell({ type: 'resumed' }, input.type === 'resume' ? 'asked to' : 'the person is away, or went on'),
    ),
  skip,
  'call off': state => only({ ...state, isCalledOff: true }, { do: 'abandon' }),

  act: state => {
    const next = { ...avoided(begin(state, 'step')), actedOn: state.seen.since }
    const { next: step, cycle, attempt, seen } = next
    return only(next, tell({ type: 'sending', step, cycle }, seen.why), {
      do: 'act',
      attempt,
      step,
      isByJudge: seen.is !== 'idle',
    })
  },
  'note sent': (state, input) => {
    const { next: step, cycle, seen } = state
    const { now } = input
    const before =
      (input.type === 'acted' && input.result.is === 'sent' && input.result.before) || beforeEnter(now, seen)
    const why = state.isCalledOff || state.mayBeTyped ? 'it had been typed by then' : seen.why
    return only(
      {
        ...without(state, 'isCalledOff', 'mayBeTyped'),
        inFlight: followed({ step, at: now, before, hasBegun: false }, seen, now),
        tally: counted(state.tally, 'sent'),
        passed: 0,
      },
      tell({ type: 'sent', step, cycle }, why),
    )
  },
  'note not typed': state => only(without(state, 'mayBeTyped')),
  'note done': (state, { now }) =>
    only({
      ...state,
      notBefore: now + refusedWaitMs,
      ...(state.attemptIs === 'recovery' ? { tally: counted(state.tally, 'recovered') } : {}),
      // Of the agent that was started nothing is known yet.
      ...(state.attemptIs === 'start'
        ? { seen: { is: 'unknown' as const, since: now, turn: 0, why: 'it was started again' } }
        : {}),
    }),
  'note passed': (state, input) => {
    const { next: step, cycle } = state
    return only(
      { ...state, passed: state.passed + 1 },
      tell({ type: 'passed', step, cycle }, whyOf(state, input)),
    )
  },
  'next step': (state, { now }) => {
    const { plan, passed, seen } = state
    // Of a turn its end counts, and of what began none the time.
    const over = passed > 0 || seen.is !== 'idle' ? now : Math.min(now, seen.since)
    const areAllPassed = passed >= plan.steps.length
    return only({
      ...state,
      ...nextStep(state),
      overAt: over,
      notBefore: areAllPassed ? over + passedWaitMs : over,
      passed: areAllPassed ? 0 : passed,
    })
  },
  'note person': (state, { now }) => only({ ...state, personAt: now }),
  'note refused': (state, input) =>
    only(
      { ...state, refused: { since: state.actedOn ?? state.seen.since, at: input.now } },
      tell({ type: 'refused', step: state.next }, whyOf(state, input)),
    ),
  'note failed': (state, input) =>
    only(state, tell({ type: 'failed', step: state.next }, whyOf(state, input))),
  'wait longer': (state, { now }) =>
    only({
      ...state,
      failures: state.failures + 1,
      notBefore: now + (failureWaits[state.failures] ?? 0),
    }),

  'tell blocked': state => {
    const { seen } = state
    return only(
      {
        ...state,
        asked: defined({ since: seen.since, for: seen.for }),
        tally: counted(state.tally, 'blocked'),
      },
      tell({ type: 'blocked', for: seen.for ?? 'dialog' }, seen.why),
    )
  },
  accept: state => only(state, { do: 'accept' }),
  'note accepted': (state, input) =>
    only(
      { ...state, tally: counted(state.tally, 'accepted') },
      tell({ type: 'accepted', text: input.type === 'accepted' ? input.text : '' }, whyOf(state, input)),
    ),

  /** What was in the midst of it is done again afterwards. */
  'tell limited': (state, { wall }) => {
    const { seen, plan } = state
    const { until } = seen.limit ?? {}
    const limitUntil = until === undefined ? wall + plan.timers.unknownReset : until + plan.timers.reset
    return only(
      {
        ...without(state, 'inFlight'),
        limitUntil,
        limitWaited: seen.since,
        tally: counted(state.tally, 'limits'),
      },
      tell({ type: 'limited', until: limitUntil }, seen.why),
    )
  },
  'note limit over': state => only(without(state, 'limitUntil')),

  'tell stuck': state => {
    const { seen } = state
    return only(defined({ ...state, stuckReported: seen.stuckSince }), tell({ type: 'stuck' }, seen.why))
  },
  recover: (state, { now }) => {
    const next = begin(
      { ...state, recoveries: state.recoveries + 1, notBefore: now + state.plan.timers.recovery },
      'recovery',
    )
    const { recover } = state.plan
    const keys = recover[Math.min(state.recoveries, recover.length - 1)] ?? []
    return only(next, tell({ type: 'recover' }, state.seen.why), {
      do: 'recover',
      attempt: next.attempt,
      keys,
    })
  },
  relaunch: (state, { now }) => {
    const recent = state.relaunches.filter(at => at > now - relaunchWindowMs)
    const next = begin(
      {
        ...without(state, 'inFlight'),
        relaunches: [...recent, now],
        notBefore: now + (relaunchWaits[recent.length] ?? 0),
      },
      'start',
    )
    const command = state.plan.relaunch ?? ''
    return only(next, tell({ type: 'relaunch' }, state.seen.why), {
      do: 'relaunch',
      attempt: next.attempt,
      command,
      after: relaunchWaits[recent.length] ?? 0,
    })
  },

  'note turn': state => {
    const { inFlight, seen } = state
    const after = seen.after ?? 'unknown'
    const isGood = after !== 'error' && after !== 'limit'
    return only(
      {
        ...without(state, 'inFlight'),
        withoutTurn: 0,
        tally: counted(state.tally, 'turns'),
        ...(isGood ? { failures: 0, recoveries: 0 } : {}),
      },
      tell({ type: 'turn_ended', step: inFlight?.step ?? state.next, after }, seen.why),
    )
  },
  'tell no turn': state =>
    only(
      { ...without(state, 'inFlight'), withoutTurn: state.withoutTurn + 1 },
      tell({ type: 'no_turn', step: state.inFlight?.step ?? state.next }, 'what was typed began no turn'),
    ),

  'ask the judge': state => {
    const next = { ...begin(state, state.attemptIs), judgingSince: state.seen.since }
    return only(next, tell({ type: 'judging' }, state.seen.why), { do: 'judge', attempt: next.attempt })
  },
  'note judgement': (state, input) => {
    if (input.type !== 'judged') return only(state)
    const { says, again } = input
    return only(
      {
        ...without(state, 'judgingSince'),
        judged: { since: state.seen.since, says },
        judgeAt: again === 'never' ? Infinity : again,
        isJudgeOff: again === 'never',
        tally: counted(state.tally, 'judged'),
      },
      tell({ type: 'judged', says }, input.why),
    )
  },
  'count avoided': state => only(avoided(state)),
} as const satisfies Readonly<Record<string, Action>>

export type ActionName = keyof typeof actions

const personWhy = ({ seen, plan }: RespawnState, input: RespawnInput): string =>
  (input.type === 'acted' ? (input.result.why ?? seen.why) : 'a person has typed there, or looks at it') +
  goesOnIn(plan.timers)
