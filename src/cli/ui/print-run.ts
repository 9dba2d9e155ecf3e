/** The stderr of `lull run`: a sentence where the health changes, or verdicts as JSON lines. */

import { formatDuration } from '../../core/text/duration.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { LullError } from '../../core.ts'
import type { RunEnd } from '../../run/run-options.ts'
import { describeSummary, type RunSummary } from '../../run/run-summary.ts'
import type { RunVerdict } from '../../run/step/run-verdict.ts'

const longest = 2000

const levels: Readonly<Record<RunVerdict['health']['level'], string>> = {
  healthy: 'healthy',
  suspicious: 'suspicious',
  likely_stuck: 'likely stuck',
  confirmed_stuck: 'stuck',
}

/** `stuck (certain): blocked 12 s: … ; close its stdin`. */
export function describeVerdict({ health, reason, recommendation }: RunVerdict): string {
  const { level, certainty } = health
  const lead = level === 'healthy' ? levels[level] : `${levels[level]} (${certainty})`
  return oneLine(`${lead}: ${reason}${recommendation === undefined ? '' : `; ${recommendation}`}`, longest)
}

/** True for a change that a person should see; another cause of good health is none, and a long silence is one. */
export function isWorthSaying(before: RunVerdict | undefined, now: RunVerdict): boolean {
  const from = before?.health.level ?? 'healthy'
  const { level, cause, certainty } = now.health
  if (level !== from) return true
  if (now.silentFor !== undefined && before?.silentFor === undefined) return true
  return level !== 'healthy' && (before?.health.cause !== cause || before?.health.certainty !== certainty)
}

/** @param epoch ms since the epoch at the machine's monotonic 0 */
export function verdictRow(verdict: RunVerdict, epoch: number): object {
  const iso = (at: number): string => new Date(epoch + at).toISOString()
  const { at, since, blockedSince, silentFor, metrics, history, diagnosis, ...rest } = verdict
  const until = diagnosis?.until
  return {
    type: 'verdict',
    at: iso(at),
    since: iso(since),
    ...(blockedSince === undefined ? {} : { blockedSince: iso(blockedSince) }),
    ...(silentFor === undefined ? {} : { silentFor: Math.round(silentFor) }),
    ...rest,
    metrics: briefly(metrics),
    history: history.map(briefly),
    ...(diagnosis
      ? { diagnosis: { ...diagnosis, ...(until === undefined ? {} : { until: iso(until) }) } }
      : {}),
  }
}

/** Rounds shares, which have more digits than anybody reads. */
const briefly = (metrics: RunVerdict['metrics']): RunVerdict['metrics'] => ({
  ...metrics,
  cpuPercent: Math.round(metrics.cpuPercent * 1000) / 1000,
  delayPercent: Math.round(metrics.delayPercent * 1000) / 1000,
})

/** Whole milliseconds, of which the parts still add up to the total. */
function inMs({ total, computing, waiting, quiet, peakBytes }: RunSummary): RunSummary {
  const toWaiting = Math.round(computing + waiting)
  return {
    total: Math.round(total),
    computing: Math.round(computing),
    waiting: toWaiting - Math.round(computing),
    quiet: Math.round(computing + waiting + quiet) - toWaiting,
    peakBytes,
  }
}

export const endRow = ({ code, signal, isActedOn, summary }: RunEnd, wall: number): object => ({
  type: 'end',
  at: new Date(wall).toISOString(),
  ...(code === undefined ? {} : { code }),
  ...(signal === undefined ? {} : { signal }),
  isActedOn,
  ...inMs(summary),
})

/** What else a person should know: among JSON lines each line is one. */
export const noticeRow = (text: string, wall: number): object => ({
  type: 'notice',
  at: new Date(wall).toISOString(),
  text,
})

/** Why the command does not run. */
export const errorRow = ({ code, message }: LullError, wall: number): object => ({
  type: 'error',
  at: new Date(wall).toISOString(),
  code,
  message,
})

/** `exit 2 after 3 min 20 s: computing 1 min …`. */
export function describeEnd({ code, signal, summary }: RunEnd): string {
  return `${signal === undefined ? `exit ${code ?? 0}` : `ended by ${signal}`} after ${describeSummary(summary)}`
}

/** The last state when lull gets a signal to end. */
export const describeLast = (signal: string, verdict: RunVerdict | undefined, ranFor: number): string =>
  verdict
    ? `${signal} after ${formatDuration(ranFor)}; ${describeVerdict(verdict)}`
    : `${signal} after ${formatDuration(ranFor)}: it has not been examined yet`
