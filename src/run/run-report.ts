/** A run's verdict as its trace and the track take it: what `lull replay`, `ps`, `watch` and `wait` then see. */
import type { Diagnosis } from '../process/diagnosis.ts'
import type { ProcessReport } from '../process/health-report.ts'
import type { RunVerdict } from './step/run-verdict.ts'

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
