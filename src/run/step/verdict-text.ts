/** A verdict in words: why, what to do, and whether ending the command would lose anything. */

import type { Cause, Health } from '../../core/state.ts'
import { formatDuration } from '../../core/text/duration.ts'
import type { Diagnosis } from '../../process/diagnosis.ts'
import type { Window } from './metrics-history.ts'
import type { Fallback } from './run-verdict.ts'

export type VerdictFacts = {
  readonly health: Health
  readonly diagnosis?: Diagnosis
  /** How long it has been blocked, ms. */
  readonly blockedFor?: number
  /** How long no output that counts has come, ms. */
  readonly silentFor: number
  /** For longer than the preset lets pass without a word. */
  readonly isSilent: boolean
  readonly window: Window
  readonly fallback?: Fallback
}

/** A shorter silence is not worth a word, ms. */
const longSilence = 60_000

/** One sentence without a full stop. */
export function reasonOf({
  health,
  diagnosis,
  blockedFor,
  silentFor,
  isSilent,
  window,
  fallback,
}: VerdictFacts): string {
  if (diagnosis && blockedFor !== undefined)
    return `blocked ${formatDuration(blockedFor)}: ${diagnosis.summary}`
  const silent = `no progress in its output for ${formatDuration(silentFor)}`
  if (diagnosis && diagnosis.cause !== 'unknown') {
    const isShown = isSilent || (health.level !== 'healthy' && silentFor >= longSilence)
    const lead = isShown ? `${silent}: ` : isTooEarly(health) ? `${tooEarly}: ` : ''
    return `${lead}${diagnosis.summary}`
  }
  if (health.level === 'healthy') return healthyReason(health, silentFor)
  const used = `${window.cpuPercent.toFixed(1)} % CPU and ${window.ioBytes} bytes in the last minute`
  const known = diagnosis ? `, ${diagnosis.summary}` : ''
  return `${silent}, ${used}${fallback === undefined ? known : `, and its threads may not be looked into: ${fallbackWords[fallback]}`}`
}

const fallbackWords: Readonly<Record<Fallback, string>> = {
  LIKELY_STDIN_WAITING: 'it may wait for input',
  LIKELY_HUNG: 'it may hang',
}

/** Nothing speaks against it yet, and nothing for it. */
const tooEarly = 'too early to tell'

const isTooEarly = ({ level, certainty }: Health): boolean => level === 'healthy' && certainty === 'low'

function healthyReason({ certainty }: Health, silentFor: number): string {
  switch (certainty) {
    case 'low':
      return `${tooEarly}: it has been watched for less than a minute`
    case 'medium':
      return `it works, though it has been silent for ${formatDuration(silentFor)}`
    case 'high':
    case 'certain':
      return `its last output came ${formatDuration(silentFor)} ago`
  }
}

export function recommendationOf({ health, diagnosis, fallback }: VerdictFacts): string | undefined {
  if (health.level === 'healthy') return undefined
  if (diagnosis?.advice !== undefined) return diagnosis.advice
  if (fallback === 'LIKELY_STDIN_WAITING') return 'run it with its stdin closed (</dev/null)'
  switch (health.level) {
    case 'suspicious':
      return undefined
    case 'likely_stuck':
      return 'look at it: lull explain pid:N shows what it waits for'
    case 'confirmed_stuck':
      return 'end it by hand if nothing is expected of it'
  }
}

/** Whoever stopped, froze or traced it may let it go on. */
const heldOnPurpose: ReadonlySet<Cause> = new Set<Cause>(['stopped', 'frozen', 'traced'])

export const isHeldOnPurpose = (cause: Cause | undefined): boolean =>
  cause !== undefined && heldOnPurpose.has(cause)

/** Nothing can move it, which is proven: no work is lost that could still be done. */
export const isSafeToKill = ({ level, certainty, cause }: Health): boolean =>
  level === 'confirmed_stuck' && certainty === 'certain' && !isHeldOnPurpose(cause)
