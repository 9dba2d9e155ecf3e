/**
 * When a model may be asked about a session: it is the last resort, it costs money, and one that fails is not asked for
 * ever. Every question takes from one budget, whatever it is about.
 */
import type { Instant } from '../../core/state.ts'
import { formatDuration } from '../../core/text/duration.ts'

/** The answers to each question. */
export const judgeWords = { idle: ['IDLE', 'WORKING'], plan: ['PLAN', 'NOT_PLAN'] } as const

type JudgeWord = (typeof judgeWords)[keyof typeof judgeWords][number]

/**
 * docs/seeds.md#003 leaves the numbers open; they are those of the controller that it was written for, as
 * docs/research/respawn.md found them. It had no budget: its pause after WORKING alone lets 20 calls an hour through, and
 * here it is half of them. ms, and characters from the end of the rendered screen.
 */
export const judgeDefaults = {
  timeout: 90_000,
  screen: 16_000,
  planTimeout: 60_000,
  planScreen: 8_000,
  afterWorking: 180_000,
  afterError: 60_000,
  mostErrors: 3,
  callsAnHour: 10,
} as const

const hour = 3_600_000

export type JudgePolicy = {
  /** ms without a question after an answer that leaves nothing to do: WORKING, or NOT_PLAN for a plan. */
  readonly afterWorking: number
  /** ms without any question after a failure. */
  readonly afterError: number
  /** After so many failures in a row it is off. */
  readonly mostErrors: number
  readonly callsAnHour: number
}

/** What the judge is asked: whether the agent is idle, or whether a plan awaits approval. */
export type JudgeQuestion = 'idle' | 'plan'

export type JudgeState = {
  readonly policy: JudgePolicy
  /** The question that is not answered yet. */
  readonly asking?: JudgeQuestion
  /** The calls of the last hour, the oldest first. */
  readonly calls: readonly Instant[]
  readonly errorsInARow: number
  readonly errorAt?: Instant
  /** When each question was answered last with nothing to do. */
  readonly nothingAt: { readonly [Question in JudgeQuestion]?: Instant }
  /** Calls made, and those that a definitive signal made needless, since the beginning. */
  readonly made: number
  readonly avoided: number
}

/** `error`: it failed, or its answer was wrong; `cancelled`: a definitive signal came while it was asked. */
export type JudgeResult = JudgeWord | 'error' | 'cancelled'

export type MayAsk =
  | { readonly may: true }
  /** `why` is for people; `at` is when it may be asked, where that is known. */
  | { readonly may: false; readonly why: string; readonly at?: Instant }

export const newJudge = (policy: Partial<JudgePolicy> = {}): JudgeState => {
  const { afterWorking, afterError, mostErrors, callsAnHour } = judgeDefaults
  return {
    policy: { afterWorking, afterError, mostErrors, callsAnHour, ...policy },
    calls: [],
    errorsInARow: 0,
    nothingAt: {},
    made: 0,
    avoided: 0,
  }
}

export function mayAsk(state: JudgeState, now: Instant, question: JudgeQuestion = 'idle'): MayAsk {
  const { policy, asking, errorsInARow } = state
  if (errorsInARow >= policy.mostErrors)
    return { may: false, why: `the judge is off: it failed ${times(errorsInARow)} in a row` }
  if (policy.callsAnHour <= 0) return { may: false, why: 'the judge may be asked 0 times an hour' }
  if (asking) return { may: false, why: 'the judge is being asked' }
  const [last] = pausesOf(state, now, question).sort((a, b) => b.at - a.at)
  return last ? { may: false, ...last } : { may: true }
}

type Pause = { readonly why: string; readonly at: Instant }

/** Why it may not be asked yet; it may once the last of them is over. */
function pausesOf({ policy, calls, errorAt, nothingAt }: JudgeState, now: Instant, question: JudgeQuestion) {
  const { afterWorking, afterError, callsAnHour } = policy
  const nothing = nothingAt[question]
  const inBudget = lastHour(calls, now).at(-callsAnHour)
  const pauses: Pause[] = []
  if (nothing !== undefined)
    pauses.push({
      why: `the judge is left alone for ${formatDuration(afterWorking)} after ${nothingWords[question]}`,
      at: nothing + afterWorking,
    })
  if (errorAt !== undefined)
    pauses.push({
      why: `the judge is left alone for ${formatDuration(afterError)} after a failure`,
      at: errorAt + afterError,
    })
  if (inBudget !== undefined)
    pauses.push({ why: `the judge was asked ${times(callsAnHour)} within an hour`, at: inBudget + hour })
  return pauses.filter(({ at }) => at > now)
}

const nothingWords = { idle: 'WORKING', plan: 'NOT_PLAN' } as const satisfies Record<JudgeQuestion, JudgeWord>

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const lastHour = (calls: readonly Instant[], now: Instant): readonly Instant[] =>
  calls.filter(at => at > now - hour)

/** A call is made. */
export const asked = (state: JudgeState, now: Instant, question: JudgeQuestion = 'idle'): JudgeState => ({
  ...state,
  asking: question,
  calls: [...lastHour(state.calls, now), now],
  made: state.made + 1,
})

/** What came of the call. An answer that nobody waits for changes nothing. */
export function answered(state: JudgeState, now: Instant, result: JudgeResult): JudgeState {
  const { asking, ...before } = state
  if (!asking) return state
  switch (result) {
    case 'cancelled':
      return before
    case 'error':
      return { ...before, errorsInARow: before.errorsInARow + 1, errorAt: now }
    case 'WORKING':
    case 'NOT_PLAN':
      return { ...answeredWell(before), nothingAt: { ...before.nothingAt, [asking]: now } }
    case 'IDLE':
    case 'PLAN':
      return answeredWell(before)
  }
}

const answeredWell = ({ errorAt: _, ...state }: JudgeState): JudgeState => ({ ...state, errorsInARow: 0 })

/** It would have been asked, but a definitive signal came first. */
export const avoided = (state: JudgeState): JudgeState => ({ ...state, avoided: state.avoided + 1 })
