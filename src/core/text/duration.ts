/** Durations as people write them: `90s`, `1h30m`, `250ms`, `1.5d`. */
import { checkValues, is } from '../check-values.ts'
import { LullError } from '../lull-error.ts'

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const whole = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/
const part = /(\d+(?:\.\d+)?)(ms|[smhd])/g

/**
 * Reads a duration.
 * @returns milliseconds
 * @throws {LullError} BAD_DURATION where a unit is missing, unknown or the number is negative
 */
export function parseDuration(text: string): number {
  checkValues('parseDuration', [text], { text: is.text })
  const trimmed = text.trim()
  if (!whole.test(trimmed))
    throw new LullError(
      'BAD_DURATION',
      `"${text}" is not a duration: write a number with a unit, like 90s, 1h30m or 250ms`,
      { text },
    )
  let total = 0
  for (const [, number, unit] of trimmed.matchAll(part))
    total += Number(number) * (units[unit as string] as number)
  return total
}

const bare = /^\d+(?:\.\d+)?$/

/**
 * The same where a bare number is seconds, as `sleep 5` and `timeout 5` have it: on a command line. In a file a number without
 * its unit stays a mistake: who reads it later has no help beside it.
 * @throws {LullError} BAD_DURATION
 */
export const parseTyped = (text: string): number =>
  parseDuration(bare.test(text.trim()) ? `${text.trim()}s` : text)

/** Milliseconds as a person reads them: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}
