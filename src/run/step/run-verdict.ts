/**
 * The verdict on a supervised run at one sample: the fields of docs/seeds.md#004, and the diagnosis behind them.
 */
import type { Health, Instant } from '../../core/state.ts'
import type { Diagnosis } from '../../process/diagnosis.ts'
import type { ProcessReport } from '../../process/health-report.ts'
import type { Metrics } from '../../process/metrics.ts'

export function reportOf(verdict: RunVerdict, pid: number): ProcessReport {
  const { at, since, health, reason, recommendation, safeToKill, fallback, diagnosis, metrics } = verdict
  return {
    pid,
    health,
    held: Math.max(0, at - since),
    reason,
    ...(recommendation === undefined ? {} : { recommendation }),
    safeToKill,
    ...(fallback === undefined ? {} : { fallback }),
    ...(diagnosis ? { cause: diagnosis.cause, proof: diagnosis.proof, summary: diagnosis.summary } : {}),
    ...(diagnosis?.isTerminal ? { isTerminal: true } : {}),
    ...(diagnosis && isRootHalted(diagnosis, pid) ? { isHalted: true } : {}),
    metrics,
  }
}

/** Stopped or frozen itself: a tool of it that is leaves it what it is. */
const isRootHalted = ({ cause, leaf, isBlocked }: Diagnosis, pid: number): boolean =>
  isBlocked && (cause === 'stopped' || cause === 'frozen') && leaf?.pid === pid

/**
 * Where nothing can be proven, as no thread may be looked into: what docs/seeds.md#004 concludes from numbers alone.
 */
export type Fallback = 'LIKELY_STDIN_WAITING' | 'LIKELY_HUNG'

export type RunVerdict = {
  /** Monotonic, ms. */
  readonly at: Instant
  readonly health: Health
  /** When the health took this level and cause, monotonic ms. */
  readonly since: Instant
  /** Since when it has been blocked, monotonic ms; absent where something may still move it. */
  readonly blockedSince?: Instant
  /** For how long its output has shown no progress, ms: from the preset's silence on, whatever the health. */
  readonly silentFor?: number
  /** One plain sentence without a full stop: who, in which call, on whom, for how long. */
  readonly reason: string
  /** What a person can do. */
  readonly recommendation?: string
  /** The command's work is lost or over whatever is done: never on a guess, never where it was stopped on purpose. */
  readonly safeToKill: boolean
  readonly diagnosis?: Diagnosis
  readonly metrics: Metrics
  /** The last 12 samples at the preset's interval, the oldest first. */
  readonly history: readonly Metrics[]
  readonly fallback?: Fallback
}
