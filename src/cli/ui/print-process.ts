/** The health of a process as a line for people and as a row for programs. */
import { formatDuration } from '../../core/text/duration.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { RunVerdict } from '../../run/step/run-verdict.ts'
import { verdictRow } from './print-run.ts'

const labels: Readonly<Record<RunVerdict['health']['level'], string>> = {
  healthy: 'healthy',
  suspicious: 'suspicious',
  likely_stuck: 'likely stuck',
  confirmed_stuck: 'stuck',
}

const severities = {
  healthy: 'ok',
  suspicious: 'notice',
  likely_stuck: 'warning',
  confirmed_stuck: 'critical',
} as const

/** `healthy, and silent for 10 min`: silence alone is never stuck. */
function labelOf({ health, silentFor }: RunVerdict): string {
  const silent = silentFor === undefined ? '' : `, and silent for ${formatDuration(silentFor)}`
  return `${labels[health.level]}${silent}`
}

/** Its output is not seen: the words of `lull run` about output would be untrue. */
function whyOf({ at, blockedSince, diagnosis, health }: RunVerdict): string {
  const isKnown = diagnosis !== undefined && diagnosis.cause !== 'unknown'
  if (isKnown && blockedSince !== undefined)
    return `blocked ${formatDuration(at - blockedSince)}: ${diagnosis.summary}`
  if (diagnosis) return diagnosis.summary
  return health.certainty === 'low' && health.level === 'healthy' ? 'too early to tell' : 'it keeps running'
}

export function processLine(verdict: RunVerdict): string {
  const { level, certainty } = verdict.health
  const sure = level === 'healthy' ? '' : ` (${certainty})`
  const advice = verdict.recommendation === undefined ? '' : `; ${verdict.recommendation}`
  return oneLine(`${labelOf(verdict)}${sure}: ${whyOf(verdict)}${advice}`, 2000)
}

/** @param epoch ms since the epoch at the machine's monotonic 0 */
export const processRow = (pid: number, verdict: RunVerdict, epoch: number): object => ({
  ...verdictRow(verdict, epoch),
  pid,
  severity:
    verdict.health.level === 'healthy' && verdict.silentFor !== undefined
      ? 'notice'
      : severities[verdict.health.level],
  label: labelOf(verdict),
  reason: whyOf(verdict),
})
