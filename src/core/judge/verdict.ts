/** The one answer that every interface shows, with the evidence that it rests on. */
import type { Exit, HealthSignal, Limit, News, Sign } from '../evidence/signal.ts'
import type { Health, Instant, State } from '../state.ts'

export type Evidence = News | Sign | Exit

/** By which rule the verdict was reached; `explain` has a sentence and `confidence` a number for each. */
export type Rule =
  | 'exit'
  /** The heaviest lane's news. */
  | 'news'
  /** News that a living sign agrees with. */
  | 'agreed'
  /** A sign alone, without news. */
  | 'sign'
  /** A sign busier than the news. */
  | 'busier'
  /** A quieter sign that has held since after the news. */
  | 'overturned'
  /** News that a late or broken sign contradicts. */
  | 'contradicted'
  /** It can't move, whatever it did before: it is stopped, frozen, or its terminal takes no output. */
  | 'halted'
  /** The evidence is against idle, but not good enough to say what it is. */
  | 'doubt'
  | 'nothing'

export type Verdict = {
  readonly state: State
  readonly health: Health
  /** The report that the health is taken from; absent where nobody looks into the session's processes. */
  readonly healthBy?: HealthSignal
  /** Of the verdicts given at 0.9, nine in ten are right. Measured: docs/benchmarks.md. */
  readonly confidence: number
  /** How many turns have begun. */
  readonly turn: number
  /** The turn has ended, even where background work goes on. */
  readonly turnOver: boolean
  /** The finished turn ended in a question. */
  readonly asks?: boolean
  readonly limit?: Limit
  /** When the state took this value. */
  readonly since: Instant
  readonly rule: Rule
  readonly because: readonly Evidence[]
  /** Judge again at this instant, even if no signal arrives until then. */
  readonly recheckAt?: Instant
}

export const healthy: Health = { level: 'healthy', certainty: 'low' }

export const firstVerdict = (at: Instant): Verdict => ({
  state: { kind: 'unknown' },
  health: healthy,
  confidence: 0,
  turn: 0,
  turnOver: false,
  since: at,
  rule: 'nothing',
  because: [],
})
