/** What `lull run` says on stderr: a sentence where the health changes, or verdicts as JSON lines. */

import { formatDuration, oneLine } from '../../core.ts'
import type { RunEnd } from '../../run/run-options.ts'
import { describeSummary } from '../../run/run-summary.ts'
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

/** True for a change that a person should see; another cause of good health is none. */
export function isWorthSaying(before: RunVerdict | undefined, now: RunVerdict): boolean {
  const from = before?.health.level ?? 'healthy'
  const { level, cause, certainty } = now.health
  if (level !== from) return true
  return level !== 'healthy' && (before?.health.cause !== cause || before?.health.certainty !== certainty)
}

export const verdictRow = (verdict: RunVerdict, wall: number): object => ({
  type: 'verdict',
  time: new Date(wall).toISOString(),
  ...verdict,
})

export const endRow = ({ code, signal, isActedOn, summary }: RunEnd, wall: number): object => ({
  type: 'end',
  time: new Date(wall).toISOString(),
  ...(code === undefined ? {} : { code }),
  ...(signal === undefined ? {} : { signal }),
  isActedOn,
  ...summary,
})

/** `exit 2 after 3 min 20 s: computing 1 min …`. */
export function describeEnd({ code, signal, summary }: RunEnd): string {
  return `${signal === undefined ? `exit ${code ?? 0}` : `ended by ${signal}`} after ${describeSummary(summary)}`
}

/** What is known when it is told to end. */
export const describeLast = (signal: string, verdict: RunVerdict | undefined, ranFor: number): string =>
  verdict
    ? `${signal} after ${formatDuration(ranFor)}; ${describeVerdict(verdict)}`
    : `${signal} after ${formatDuration(ranFor)}: it has not been looked at yet`
