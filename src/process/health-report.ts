/**
 * What a supervisor reports about a process tree, as a `p` event of a trace or to a track: written by the supervisor, read
 * back into signals, so that a recording of a run is judged like the run itself.
 */

import type { HealthSignal, Sign, Signal } from '../core/evidence/signal.ts'
import { causes, isCause } from '../core/explain/explain-health.ts'
import type { Cause, Health, Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import { isRecord, parseJson } from '../core/trace/trace.ts'
import type { Proof } from './diagnosis.ts'
import type { Metrics } from './metrics.ts'

/** The fields of every report. */
export type HealthReport = {
  /** The root of the tree. */
  readonly pid: number
  readonly health: Health
  /** For how long the health has been so, ms. */
  readonly held: number
  readonly reason: string
  readonly recommendation?: string
  /** The root itself can't move. */
  readonly isHalted?: boolean
  /** Nothing is wrong with it any more that was reported. */
  readonly isOver?: boolean
}

export type ProcessReport = HealthReport & {
  /** `reason` without its duration, where there is a diagnosis: it does not age. */
  readonly summary?: string
  readonly safeToKill: boolean
  /** The sentence of docs/seeds.md#004 where nothing could be proven. */
  readonly fallback?: string
  readonly cause?: Cause
  readonly proof?: Proof
  /** What it waits for would come from a terminal. */
  readonly isTerminal?: boolean
  readonly metrics: Metrics
}

/** A report is void after so long: a supervisor that lives renews it three times as often. */
export const reportHoldMs = 90_000
export const reportEveryMs = 30_000

export const writeReport = (report: HealthReport | ProcessReport): string => JSON.stringify(report)

/**
 * The signals of a report.
 * @param isCommand the session is this very program: then its processes tell its state as well
 * @returns what is wrong with it, where it is no report
 */
export function readReport(data: string, at: Instant, isCommand: boolean): readonly Signal[] | string {
  const row = parseJson(data)
  // Other recorders write samples of their own under this code.
  if (isRecord(row) && row.health === undefined) return []
  if (!isRecord(row) || typeof row.pid !== 'number' || typeof row.reason !== 'string')
    return 'a process report without a pid and a reason'
  const health = readHealth(row.health)
  if (!health) return 'a process report without a health'
  const held = typeof row.held === 'number' && row.held > 0 ? row.held : 0
  const what = oneLine(typeof row.summary === 'string' ? row.summary : row.reason, 500)
  const since = Math.max(0, at - held)
  const signal: HealthSignal = {
    type: 'health',
    source: 'process',
    owner: `pid:${row.pid}`,
    what,
    ...(typeof row.recommendation === 'string' ? { advice: oneLine(row.recommendation, 300) } : {}),
    health,
    ...(row.isHalted === true ? { isHalted: true } : {}),
    hold: reportHoldMs,
    since,
    seen: at,
    alive: row.isOver !== true,
  }
  const cause = isCause(row.cause) ? row.cause : undefined
  const asksPerson = cause === 'stdin' && row.isTerminal === true
  const sign: Sign = {
    type: 'sign',
    source: 'process',
    what: cause === undefined ? 'it runs' : causes[cause],
    state: asksPerson ? { kind: 'waiting', for: 'input' } : { kind: 'working', doing: 'command' },
    excludes: [],
    tier: row.proof === 'proven' ? 'proven' : 'seen',
    lag: 0,
    hold: reportHoldMs,
    since,
    seen: at,
    alive: true,
  }
  return isCommand ? [signal, sign] : [signal]
}

const levels: ReadonlySet<unknown> = new Set(['healthy', 'suspicious', 'likely_stuck', 'confirmed_stuck'])
const certainties: ReadonlySet<unknown> = new Set(['low', 'medium', 'high', 'certain'])

function readHealth(value: unknown): Health | undefined {
  if (!isRecord(value) || !levels.has(value.level) || !certainties.has(value.certainty)) return undefined
  const { level, certainty, cause } = value as Health
  return isCause(cause) ? { level, cause, certainty } : { level, certainty }
}
