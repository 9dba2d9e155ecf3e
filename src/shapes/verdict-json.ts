/** A verdict and its evidence as JSON: the fields that every command and the API print. */
import { defined } from '../core/defined.ts'
import { describeState, instantOf } from '../core/explain/explain.ts'
import type { Evidence, Verdict } from '../core/judge/verdict.ts'

/** Years have four digits in the times of JSON (RFC 3339). ms since the epoch */
const lastTime = Date.UTC(10_000, 0) - 1

/** A damaged stamp may lie beyond what ISO time can tell, or before all agents. */
export const isoOf = (ms: number): string => new Date(Math.max(0, Math.min(ms, lastTime))).toISOString()

/** Seconds from the start of a trace, ISO time for a transcript. */
export const timeOf = (at: number, epoch: number | undefined): number | string =>
  epoch === undefined ? at / 1000 : isoOf(epoch + at)

/** The fields of a verdict as docs/cli.md names them. With an epoch, instants are ISO time, else seconds. */
export const jsonVerdict = (verdict: Verdict, epoch: number | undefined) => ({
  ...jsonState(verdict, epoch),
  rule: verdict.rule,
  because: verdict.because.map(evidence => jsonEvidence(evidence, epoch)),
})

/** The same without its reasons. */
export function jsonState(verdict: Verdict, epoch: number | undefined) {
  const { state, health, healthBy } = verdict
  return {
    state: state.kind,
    ...(state.kind === 'waiting' ? { for: state.for } : {}),
    ...(state.kind === 'working' && state.doing ? { doing: state.doing } : {}),
    ...(state.kind === 'idle' && state.after ? { after: state.after } : {}),
    ...(state.kind === 'exited' ? defined({ code: state.code, signal: state.signal }) : {}),
    health: health.level,
    ...(healthBy
      ? {
          ...(health.cause ? { cause: health.cause } : {}),
          certainty: health.certainty,
          healthSince: timeOf(healthBy.since, epoch),
          healthWhy: healthBy.what,
          ...(healthBy.advice === undefined ? {} : { advice: healthBy.advice }),
        }
      : {}),
    confidence: verdict.confidence,
    turn: verdict.turn,
    turnOver: verdict.turnOver,
    ...(verdict.asks ? { asks: true } : {}),
    ...(verdict.limit
      ? { limit: verdict.limit.until === undefined ? {} : { until: timeOf(verdict.limit.until, epoch) } }
      : {}),
    since: timeOf(verdict.since, epoch),
  }
}

export function jsonEvidence(evidence: Evidence, epoch: number | undefined) {
  return {
    source: evidence.source,
    what: evidence.what,
    ...(evidence.type === 'exit' ? {} : { state: describeState(evidence.state) }),
    ...(evidence.type === 'sign' ? { tier: evidence.tier } : {}),
    at: timeOf(instantOf(evidence), epoch),
  }
}
