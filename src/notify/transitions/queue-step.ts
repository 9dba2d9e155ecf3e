/**
 * The transitions of one webhook as a pure step: one at a time, in the order of the history, each until it has arrived. The history
 * is the queue; only the place in it is kept. What fails holds back all that comes after it.
 */
import type { Instant } from '../../core/state.ts'
import { retryMs } from '../step/delivery-step.ts'

export type QueueState = {
  readonly is: 'resting' | 'reading' | 'sending' | 'moving' | 'waiting' | 'stopped'
  /** The entry that is sent, or is to be sent again. */
  readonly entry?: number
  /** The cursor is to be moved there: it was delivered, or passed over. */
  readonly to?: number
  /** In a row. */
  readonly failures: number
  /** The reason that was noted last, until something is delivered. */
  readonly noted?: string
  /** It is noted that deliveries work. */
  readonly isProven: boolean
  /** How many were given up since it was last said. */
  readonly givenUp: number
}

type QueueHappened =
  /** The history has more, perhaps. */
  | { readonly type: 'kept' }
  | { readonly type: 'time' }
  /** Nothing is left. */
  | { readonly type: 'none' }
  /** `isPassed`: nothing is to be sent of it. */
  | { readonly type: 'next'; readonly entry: number; readonly at: number; readonly isPassed: boolean }
  | { readonly type: 'delivered' }
  | { readonly type: 'failed'; readonly why: string }
  /** The receiver wants no more, now or since an earlier host. */
  | { readonly type: 'unwanted'; readonly why: string; readonly isKnown?: true }
  | { readonly type: 'moved' }
  /** The history could not be read or written. */
  | { readonly type: 'refused'; readonly why: string }

export type QueueInput = QueueHappened & {
  readonly now: Instant
  /** ms since the epoch: before then an entry is too old to be sent. */
  readonly oldest: number
}

export type QueueEffect =
  | { readonly do: 'read' }
  | { readonly do: 'send'; readonly attempt: number }
  | { readonly do: 'move'; readonly to: number }
  | { readonly do: 'stop' }
  | { readonly do: 'note'; readonly what: 'sent' }
  /** `again`: ms; given up where not given. */
  | { readonly do: 'note'; readonly what: 'failed'; readonly why: string; readonly again?: number }
  | { readonly do: 'complain'; readonly givenUp: number }
  | { readonly do: 'timer'; readonly at: Instant }

type QueueStep = { readonly state: QueueState; readonly effects: readonly QueueEffect[] }

export const newQueue: QueueState = { is: 'resting', failures: 0, isProven: false, givenUp: 0 }

export function queueStep(state: QueueState, input: QueueInput): QueueStep {
  switch (input.type) {
    case 'kept':
      return state.is === 'resting' ? reading(state) : { state, effects: [] }
    case 'time':
      if (state.is !== 'waiting') return { state, effects: [] }
      return state.to === undefined ? reading(state) : moving(state, state.to)
    case 'none':
      return complained({ ...afterLost(state), is: 'resting' }, [])
    case 'next':
      return next(state, input)
    case 'delivered':
      return delivered(state)
    case 'failed':
    case 'refused':
      return failed(state, input)
    case 'unwanted':
      return unwanted(state, input)
    case 'moved': {
      const { to: _, entry: __, ...rest } = state
      return reading({ ...rest, failures: 0 })
    }
  }
}

const reading = (state: QueueState): QueueStep => ({
  state: { ...state, is: 'reading' },
  effects: [{ do: 'read' }],
})

const moving = (state: QueueState, to: number): QueueStep => ({
  state: { ...state, is: 'moving', to },
  effects: [{ do: 'move', to }],
})

function next(
  before: QueueState,
  { entry, at, isPassed, oldest }: Extract<QueueInput, { readonly type: 'next' }>,
): QueueStep {
  const state = entry === before.entry ? before : afterLost(before)
  if (isPassed) return moving(state, entry)
  if (at < oldest) return moving({ ...state, givenUp: state.givenUp + 1 }, entry)
  return complained({ ...state, is: 'sending', entry }, [{ do: 'send', attempt: state.failures + 1 }])
}

/** An entry that failed, and is in the history no more. */
function afterLost(state: QueueState): QueueState {
  const { entry, ...rest } = state
  return { ...rest, failures: 0, givenUp: state.givenUp + (entry === undefined ? 0 : 1) }
}

/** One sentence for all that were given up in a row. */
const complained = (state: QueueState, effects: readonly QueueEffect[]): QueueStep =>
  state.givenUp === 0
    ? { state, effects }
    : {
        state: { ...state, givenUp: 0 },
        effects: [{ do: 'complain', givenUp: state.givenUp }, ...effects],
      }

function delivered(state: QueueState): QueueStep {
  if (state.is !== 'sending' || state.entry === undefined) return { state, effects: [] }
  const { noted: _, ...rest } = state
  const { effects, state: moved } = moving({ ...rest, failures: 0, isProven: true }, state.entry)
  return { state: moved, effects: state.isProven ? effects : [{ do: 'note', what: 'sent' }, ...effects] }
}

/** A reason is noted once, until it is another one. */
function failed(
  state: QueueState,
  { why, now }: Extract<QueueInput, { readonly type: 'failed' | 'refused' }>,
): QueueStep {
  const again = retryMs[Math.min(state.failures, retryMs.length - 1)] as number
  const timer: QueueEffect = { do: 'timer', at: now + again }
  return {
    state: { ...state, is: 'waiting', failures: state.failures + 1, noted: why, isProven: false },
    effects: why === state.noted ? [timer] : [{ do: 'note', what: 'failed', why, again }, timer],
  }
}

function unwanted(
  state: QueueState,
  { why, isKnown }: Extract<QueueInput, { readonly type: 'unwanted' }>,
): QueueStep {
  return {
    state: { ...state, is: 'stopped' },
    effects: isKnown ? [] : [{ do: 'stop' }, { do: 'note', what: 'failed', why }],
  }
}
