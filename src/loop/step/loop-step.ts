/**
 * The loop as a pure step: what has happened in, the next state and what is to be done out. Nothing is done here; the
 * runner does it (`../loop-runner.ts`) and comes back with what came of it.
 */
import type { Instant } from '../../core/state.ts'
import type { Happening } from '../loop-events.ts'
import { endIteration, stopped } from './end-step.ts'
import {
  after,
  type Delay,
  type Ending,
  emit,
  type Input,
  type LoopEffect,
  type LoopState,
  type LoopStep,
  log,
  type Phase,
  type Plan,
  type Stop,
} from './loop-state.ts'

/** ralphify's: from SIGTERM to SIGKILL. */
const graceMs = 3000
/** docs/seeds.md#001: a second Ctrl+C stops. */
const doubleMs = 1000
/** A wait until a time of day looks at the wall clock so often: the machine may sleep meanwhile. */
const wallCheckMs = 30_000

type Iterating = Extract<Phase, { kind: 'iterating' }>

export const newLoop = (plan: Plan): LoopState => ({
  plan,
  phase: { kind: 'new' },
  startedAt: 0,
  iteration: 0,
  limits: 0,
  quickEnds: 0,
  isPauseAsked: false,
  isNoted: false,
  tally: { completed: 0, idle: 0, failed: 0, timedOut: 0, limited: 0 },
})

export function step(state: LoopState, input: Input): LoopStep {
  const { phase } = state
  switch (phase.kind) {
    case 'new':
      return input.type === 'begin' ? begin(state, input.now) : unchanged(state)
    case 'iterating':
      return stepIteration(state, phase, input)
    case 'delaying':
      return stepDelay(state, phase.delay, input)
    case 'paused':
      return stepPause(state, phase, input)
    case 'stopped':
      return unchanged(state)
  }
}

const unchanged = (state: LoopState): LoopStep => ({ state, effects: [] })

function begin(state: LoopState, now: Instant): LoopStep {
  const { ralph, agent, maxIterations, warnings } = state.plan
  const most = maxIterations === undefined ? {} : { maxIterations }
  const started: Happening = { type: 'RUN_STARTED', ralph, agent, ...most }
  const logged = warnings.map(message => log('warning', message))
  return after([emit(started), ...logged], nextIteration({ ...state, startedAt: now }, now))
}

function nextIteration(state: LoopState, now: Instant): LoopStep {
  const iteration = state.iteration + 1
  const count = state.plan.commandCount
  return {
    state: { ...state, iteration, phase: { kind: 'iterating', from: now } },
    effects: [
      { do: 'no_timer' },
      emit({ type: 'ITERATION_STARTED', iteration }),
      ...(count > 0 ? [emit({ type: 'COMMANDS_STARTED', iteration, count })] : []),
      { do: 'prepare', iteration },
    ],
  }
}

function stepIteration(state: LoopState, phase: Iterating, input: Input): LoopStep {
  const { iteration } = state
  switch (input.type) {
    case 'prepared':
      return prepared(state, phase, input)
    case 'agent_state': {
      const { tool, question } = input.facts
      const activity = emit({
        type: 'AGENT_ACTIVITY',
        iteration,
        state: input.state,
        ...(tool === undefined ? {} : { tool }),
      })
      if (input.state.kind !== 'waiting') return { state, effects: [activity] }
      const reason = question === undefined ? {} : { reason: question }
      const person = emit({ type: 'BLOCKED', iteration, by: 'agent', for: input.state.for, ...reason })
      return { state, effects: [activity, person] }
    }
    case 'agent_ended': {
      const { state: ended, effects, next } = endIteration(state, phase, input.result, input)
      return after(effects, goOn(ended, next, input.now))
    }
    case 'time':
      return due(state, phase, input.now)
    case 'interrupt':
      return interrupted(state, phase, input.now)
    case 'terminate':
      // The first signal is the one that is reported.
      return state.stop?.outcome === 'terminated'
        ? unchanged(state)
        : end({ ...state, stop: terminated(input.signal) }, phase, 'stop', input.now)
    case 'pause':
      return unchanged({ ...state, isPauseAsked: true })
    case 'resume':
      return unchanged({ ...state, isPauseAsked: false })
    case 'skip':
    case 'begin':
      return unchanged(state)
  }
}

function prepared(state: LoopState, phase: Iterating, input: Input & { type: 'prepared' }): LoopStep {
  const { iteration, plan } = state
  const { now, results, prompt } = input
  const reported = plan.commandCount > 0 ? [emit({ type: 'COMMANDS_COMPLETED', iteration, results })] : []
  if (phase.ending) {
    const { state: ended, effects, next } = endIteration(state, phase, {}, input)
    return after([...reported, ...effects], goOn(ended, next, now))
  }
  return {
    state: { ...state, phase: { ...phase, agentAt: now } },
    effects: [
      ...reported,
      emit({ type: 'PROMPT_ASSEMBLED', iteration, promptLength: prompt.length }),
      ...(plan.timeout === undefined ? [] : [{ do: 'timer', at: now + plan.timeout } as const]),
      { do: 'start_agent', iteration, prompt },
    ],
  }
}

/** Something is due while an iteration runs: SIGKILL after the grace, or the timeout. */
function due(state: LoopState, phase: Iterating, now: Instant): LoopStep {
  const { ending, agentAt } = phase
  const { timeout } = state.plan
  if (ending) {
    if (ending.isHard) return unchanged(state)
    if (now < ending.at + graceMs) return { state, effects: [{ do: 'timer', at: ending.at + graceMs }] }
    return endHard(state, phase, ending)
  }
  if (timeout === undefined || agentAt === undefined) return unchanged(state)
  if (now < agentAt + timeout) return { state, effects: [{ do: 'timer', at: agentAt + timeout }] }
  return end(state, phase, 'timeout', now)
}

/** Ends what runs, softly; the hard end follows after the grace. What is ending already goes on ending. */
function end(state: LoopState, phase: Iterating, why: Ending['why'], now: Instant): LoopStep {
  if (phase.ending) return unchanged(state)
  return {
    state: { ...state, phase: { ...phase, ending: { why, at: now, isHard: false } } },
    effects: [
      { do: 'end', how: 'soft' },
      { do: 'timer', at: now + graceMs },
    ],
  }
}

const endHard = (state: LoopState, phase: Iterating, ending: Ending): LoopStep => ({
  state: { ...state, phase: { ...phase, ending: { ...ending, isHard: true } } },
  effects: [{ do: 'no_timer' }, { do: 'end', how: 'hard' }],
})

/** Ctrl+C in an iteration: once, it is the last; twice, or right after a wait was skipped, it ends now; thrice, hard. */
function interrupted(state: LoopState, phase: Iterating, now: Instant): LoopStep {
  const { ending } = phase
  if (ending?.why === 'stop') return ending.isHard ? unchanged(state) : endHard(state, phase, ending)
  const stop: Stop = state.stop ?? { outcome: 'interrupted' }
  if (state.stop || isDouble(state, now)) return end({ ...state, stop }, phase, 'stop', now)
  const message = `iteration ${state.iteration} is finished first, Ctrl+C again stops now`
  return { state: { ...state, stop }, effects: [log('info', message)] }
}

const isDouble = ({ skippedAt }: LoopState, now: Instant): boolean =>
  skippedAt !== undefined && now - skippedAt <= doubleMs

const terminated = (signal: string | undefined): Stop =>
  signal === undefined ? { outcome: 'terminated' } : { outcome: 'terminated', signal }

function goOn(
  state: LoopState,
  next: { readonly stop: Stop } | { readonly delay: Delay | undefined },
  now: Instant,
): LoopStep {
  if ('stop' in next) return stopped(state, next.stop, now)
  if (state.isPauseAsked) return pause(state, next.delay, now)
  return next.delay ? startDelay(state, next.delay) : nextIteration(state, now)
}

function startDelay(state: LoopState, delay: Delay): LoopStep {
  const { why, from, until } = delay
  return {
    state: { ...state, phase: { kind: 'delaying', delay } },
    effects: [
      emit({ type: 'DELAY_STARTED', iteration: state.iteration, why, delay: until - from }),
      timerOf(delay, from),
    ],
  }
}

const timerOf = ({ until, untilWall }: Delay, now: Instant): LoopEffect => ({
  do: 'timer',
  at: untilWall === undefined ? until : Math.min(until, now + wallCheckMs),
})

function stepDelay(state: LoopState, delay: Delay, input: Input): LoopStep {
  const { now, wall } = input
  switch (input.type) {
    case 'time': {
      const isOver = now >= delay.until || wall >= (delay.untilWall ?? Infinity)
      if (!isOver) return { state, effects: [timerOf(delay, now)] }
      return after([delayEnded(state, delay, 'elapsed', now)], nextIteration(state, now))
    }
    case 'interrupt':
      if (isDouble(state, now)) return stopDelay(state, delay, { outcome: 'interrupted' }, now)
      return after(
        [delayEnded(state, delay, 'skipped', now)],
        nextIteration({ ...state, skippedAt: now }, now),
      )
    case 'skip':
      return after([delayEnded(state, delay, 'skipped', now)], nextIteration(state, now))
    case 'terminate':
      return stopDelay(state, delay, terminated(input.signal), now)
    case 'pause':
      return after([delayEnded(state, delay, 'paused', now)], pause(state, delay, now))
    default:
      return unchanged(state)
  }
}

const stopDelay = (state: LoopState, delay: Delay, stop: Stop, now: Instant): LoopStep =>
  after([delayEnded(state, delay, 'stopped', now)], stopped(state, stop, now))

const delayEnded = (
  { iteration }: LoopState,
  { from }: Delay,
  why: 'elapsed' | 'skipped' | 'paused' | 'stopped',
  now: Instant,
): LoopEffect => emit({ type: 'DELAY_ENDED', iteration, why, waited: now - from })

function pause(state: LoopState, delay: Delay | undefined, now: Instant): LoopStep {
  return {
    state: {
      ...state,
      isPauseAsked: false,
      phase: { kind: 'paused', at: now, ...(delay ? { delay } : {}) },
    },
    effects: [{ do: 'no_timer' }, emit({ type: 'RUN_PAUSED' })],
  }
}

/** What was left of a wait follows, unless it is skipped; time in between is no idleness. */
function stepPause(state: LoopState, { at, delay }: Phase & { kind: 'paused' }, input: Input): LoopStep {
  const { now } = input
  switch (input.type) {
    case 'resume':
    case 'skip': {
      const { idle } = state
      const isCounting = idle !== undefined && idle.suspendedAt === undefined
      const resumed = isCounting ? { ...state, idle: { ...idle, since: idle.since + (now - at) } } : state
      const rest = delay && { ...delay, from: now, until: now + (delay.until - at) }
      const isResting = input.type === 'resume' && rest !== undefined && rest.until > now
      const next = isResting ? startDelay(resumed, rest) : nextIteration(resumed, now)
      return after([emit({ type: 'RUN_RESUMED' })], next)
    }
    case 'interrupt':
      return stopped(state, { outcome: 'interrupted' }, now)
    case 'terminate':
      return stopped(state, terminated(input.signal), now)
    default:
      return unchanged(state)
  }
}
