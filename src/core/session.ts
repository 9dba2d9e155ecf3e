/** A session as data: what was filed of it, and the verdict that it comes to. `advance` makes the next one. */
import type {
  Exit,
  FactSignal,
  Facts,
  HealthSignal,
  News,
  Sign,
  Signal,
  Source,
  TurnId,
} from './evidence/signal.ts'
import { noTurns, type Turns } from './evidence/turns.ts'
import { firstVerdict, type Verdict } from './judge/verdict.ts'
import type { Instant, Kind } from './state.ts'

/** A lane's latest news and the sources that reported the same. */
export type Claim = { readonly news: News; readonly by: readonly Source[] }

/** A source's latest status (a sign), and how far the source is trusted. */
export type TrackedStatus = {
  readonly sign: Sign
  /** Moves in step with the news that it owes before it may call idle what the news call busy. */
  readonly stepsOwed: number
  /** It has contradicted the news for longer than it lawfully may: until it owes no step it counts for nothing. */
  readonly onProbation: boolean
  /** This very move of it was counted as a step: it counts once. */
  readonly isCounted: boolean
  /** When it last began to call the session busy. */
  readonly busySince: Instant | undefined
}

/** Enter was pressed. */
export type Press = {
  readonly at: Instant
  /** A source began to tell of work with it, or a dialog was open, which it answered. Neither: it may have been anything. */
  readonly is?: 'prompt' | 'answer' | undefined
}

/**
 * The newest press that a source has answered, how long that took it, ms, and the turn that it named. Without a press: what
 * it called work was none.
 */
export type AnsweredPress = {
  readonly press: Instant | undefined
  readonly took: number
  readonly turn?: TurnId | undefined
}

/** What the news alone say, and since when. `waitedUntil`: when they last ceased to say that it waits; absent: never yet. */
export type KindByNews = { readonly kind: Kind; readonly since: Instant; readonly waitedUntil?: Instant }

/** A dialog that is over, by its lane: news of it from before its end say nothing new, however late they come. */
export type PastDialog = { readonly lane: string; readonly endedAt: Instant }

export type Session = {
  readonly now: Instant
  readonly turns: Turns
  readonly lanes: Readonly<Record<string, Claim>>
  /** The newest last. */
  readonly pastDialogs: readonly PastDialog[]
  readonly signs: Readonly<Record<string, TrackedStatus>>
  readonly healthByOwner: Readonly<Record<string, HealthSignal>>
  readonly kindByNews: KindByNews
  /** Presses of Enter, the newest last, and of each source the newest that it has answered. */
  readonly presses: readonly Press[]
  readonly answers: { readonly [S in Source]?: AnsweredPress }
  readonly facts: Facts
  /** When the token counts last changed. */
  readonly tokensAt: Instant | undefined
  /** When the tool that runs began, and when the last prompt was given, as their sources tell: late ones are passed over. */
  readonly toolAt: Instant | undefined
  readonly promptAt: Instant | undefined
  readonly exit: Exit | undefined
  /** The verdict as it stood before this instant: what `since` and the turn's number are measured against. */
  readonly before: Verdict
  readonly verdict: Verdict
  readonly instant: ThisInstant | undefined
}

/** What was filed before this instant, and what came in it. */
export type ThisInstant = Filed & {
  /** Its signals, in the order of their sources: see `advance`. */
  readonly signals: readonly Sourced[]
  /** Facts came after its verdict. */
  readonly hasNewFacts?: true
}

/** What signals change, but for facts, which have no order. */
export type Filed = Pick<
  Session,
  | 'turns'
  | 'lanes'
  | 'pastDialogs'
  | 'signs'
  | 'healthByOwner'
  | 'kindByNews'
  | 'presses'
  | 'answers'
  | 'exit'
  | 'verdict'
>

/** The next session while `advance` makes it. Its fields are replaced; the values that they hold never change. */
export type Draft = { -readonly [K in keyof Session]: Session[K] }

/** Signals of which each source's own has a place in the order; facts have none. */
export type Sourced = Exclude<Signal, FactSignal>

/** Nobody looks into the session's processes. One object, which most sessions share. */
export const noHealth: Session['healthByOwner'] = {}

/**
 * A session of which nothing is known yet.
 * @param at its first instant, ms
 */
export function newSession(at: Instant): Session {
  const verdict = firstVerdict(at)
  return {
    now: at,
    turns: noTurns,
    lanes: {},
    pastDialogs: [],
    signs: {},
    healthByOwner: noHealth,
    kindByNews: { kind: 'unknown', since: at },
    presses: [],
    answers: {},
    facts: {},
    tokensAt: undefined,
    toolAt: undefined,
    promptAt: undefined,
    exit: undefined,
    before: verdict,
    verdict,
    instant: undefined,
  }
}
