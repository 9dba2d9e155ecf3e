/**
 * When a wait on a terminal is over, and how: decided observation by observation. What the kernel proves counts with one that
 * is conclusive and whole, all else once two in a row agree; what was typed before must have been read; and until then the
 * next observation comes soon.
 */
import type { Instant } from '../../core/state.ts'
import type { TerminalWord } from '../terminal-word.ts'
import type { TerminalGoal } from './terminal-goals.ts'

/** The words of the exit table. */
export type ReadyOutcome = 'reached' | 'waitsForPerson' | 'stuck' | 'gone' | 'stable' | 'timeout'

export type ReadyRequest = {
  readonly goals: readonly TerminalGoal[]
  /** An own prompt pattern decides what is ready, unless the kernel proves that the program runs. */
  readonly pattern?: RegExp
}

/** An observation, as far as it matters to a wait. */
export type Observed = {
  readonly word: TerminalWord
  /** The kernel, or one of the program's own marks, proves it. */
  readonly isProven: boolean
  /** The screen holds all that was printed before. */
  readonly isWhole: boolean
  /** It needs no second one. */
  readonly isConclusive: boolean
  /** Who reads the terminal. */
  readonly reader?: number
  /** The whole screen, with the cursor. */
  readonly screen: string
  /** The last line with anything on it. */
  readonly lastLine: string
  /** What was typed has been read. */
  readonly isConsumed: boolean
  /** A line came that the wait is for. */
  readonly isPrinted: boolean
  /** Nothing has run since the observation before. */
  readonly isStill: boolean
  /** When another may say something else although nothing moves: ms. */
  readonly observeAgainIn?: number
}

export type ReadyState = {
  readonly from: Instant
  readonly deadline: Instant
  /** ms to the next observation, which doubles while nothing is printed. */
  readonly delay: number
  /** What the last observations would have ended with, how many they were and since when, and the last of them. */
  readonly last?: {
    readonly outcome: ReadyOutcome
    readonly count: number
    readonly since: Instant
    readonly observed: Observed
  }
}

export type ReadyStep = {
  readonly state: ReadyState
  readonly done?: ReadyOutcome
  /** Observe again after as many ms, or when something is printed. */
  readonly delay: number
}

/**
 * ms: the first delay, the longest, and the longest once a wait has lasted for `longAfter`
 * (docs/research/terminal.md#latency). While nothing runs it may be longer still: output wakes at once, and to wake up
 * by itself costs more than to observe.
 */
const firstDelay = 0.5
const longest = 20
const longAfter = 5000
const longestLater = 100
const longestStill = 500

/** A clock in a prompt or a background job that prints may change the screen at a prompt. */
const enough = 5

/** A writer of a flood blocks again and again until the terminal is read: ms without anything new. */
const stuckMs = 1000

export const startReady = (now: Instant, timeout: number): ReadyState => ({
  from: now,
  deadline: now + timeout,
  delay: firstDelay,
})

/** Something was printed: the next observations come soon again. */
export const stirred = (state: ReadyState): ReadyState => ({ ...state, delay: firstDelay })

export function stepReady(
  request: ReadyRequest,
  state: ReadyState,
  observed: Observed,
  now: Instant,
): ReadyStep {
  const outcome = outcomeOf(request, observed)
  if (outcome === 'gone' || observed.isPrinted)
    return { state, done: observed.isPrinted ? 'reached' : 'gone', delay: 0 }
  const { last: before, ...rest } = state
  const isAgain = before?.outcome === outcome && before?.observed.reader === observed.reader
  const count = isAgain && before ? before.count + 1 : 1
  const isSame = isAgain && before?.observed.screen === observed.screen
  const since = isAgain && before && (isSame || outcome !== 'stuck') ? before.since : now
  const isLong = outcome !== 'stuck' || now - since >= stuckMs
  const isSure = isSame || count >= enough || (observed.isProven && observed.isWhole && outcome !== 'stuck')
  if (outcome && isLong && isSure) return { state, done: outcome, delay: 0 }
  if (now >= state.deadline) return { state, done: 'timeout', delay: 0 }
  const cap = now - state.from <= longAfter ? longest : observed.isStill ? longestStill : longestLater
  const delay = Math.min(state.delay, cap, Math.max(firstDelay, observed.observeAgainIn ?? cap))
  const next = { ...rest, delay: Math.min(state.delay * 2, cap) }
  const last = outcome && { outcome, count, since, observed }
  if (last && isLong) return { state: { ...next, last }, delay: 0 }
  return { state: last ? { ...next, last } : next, delay: Math.min(delay, state.deadline - now) }
}

function outcomeOf({ goals, pattern }: ReadyRequest, observed: Observed): ReadyOutcome | undefined {
  const { word, isConclusive, isConsumed, isProven, lastLine } = observed
  const wants = (type: TerminalGoal['type']): boolean => goals.some(goal => goal.type === type)
  if (word === 'exited') return 'gone'
  if (!isConclusive) return undefined
  if (word === 'frozen') return 'stuck'
  if (!isConsumed) return undefined
  if (pattern && wants('ready') && word !== 'password') {
    const isRunning = word === 'running' && isProven
    if (!isRunning && pattern.test(lastLine)) return 'reached'
  }
  switch (word) {
    case 'ready':
      return wants('ready') && !pattern ? 'reached' : undefined
    case 'question':
    case 'keypress':
      return wants('question') ? 'reached' : forPerson(goals)
    case 'password':
      return wants('password') ? 'reached' : forPerson(goals)
    case 'pager':
    case 'editor':
      return forPerson(goals)
    case 'running':
    case 'stable':
    case 'unknown':
      return undefined
  }
}

/**
 * Why the outcome of a wait disagrees with the word for the terminal: a wait that was not reached did not see its goal,
 * and a custom prompt pattern may match where the kernel shows another state.
 */
export function contradiction(
  request: ReadyRequest,
  outcome: ReadyOutcome,
  observed: Observed,
): 'byPattern' | 'notByPattern' | 'unread' | 'unsure' | undefined {
  const settled = outcomeOf(request, { ...observed, isConclusive: true, isConsumed: true })
  const isByPattern = request.pattern !== undefined && request.goals.some(({ type }) => type === 'ready')
  if (outcome === 'reached')
    return isByPattern && !observed.isPrinted && observed.word !== 'ready' ? 'byPattern' : undefined
  if (outcome !== 'timeout') return undefined
  if (isByPattern && observed.word === 'ready' && settled === undefined) return 'notByPattern'
  if (settled === undefined) return undefined
  return observed.isConsumed ? 'unsure' : 'unread'
}

/** Who waits for output alone has not asked what the program wants besides. */
const forPerson = (goals: readonly TerminalGoal[]): ReadyOutcome | undefined =>
  goals.every(({ type }) => type === 'output') ? undefined : 'waitsForPerson'
