/** Times of the past on the command line. */
import { LullError } from '../../core/lull-error.ts'
import { parseDuration } from '../../core/text/duration.ts'

const dayMs = 86_400_000
const clockTime = /^([01]?\d|2[0-3]):([0-5]\d)$/
const date = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/

/**
 * `22:00` (the last time that it was), `2h` (so long ago), `2026-11-24`, `2026-11-24T02:00`; without a zone as the clock on the wall.
 * @param now ms since the epoch
 * @returns ms since the epoch
 * @throws {LullError} USAGE
 */
export function readTime(flag: string, text: string, now: number): number {
  const [, hours, minutes] = clockTime.exec(text) ?? []
  if (hours !== undefined) {
    const at = new Date(now).setHours(Number(hours), Number(minutes), 0, 0)
    return at > now ? new Date(at - dayMs).setHours(Number(hours), Number(minutes), 0, 0) : at
  }
  const at = date.test(text)
    ? Date.parse(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'))
    : Number.NaN
  if (!Number.isNaN(at)) return at
  try {
    return now - parseDuration(text)
  } catch {
    throw new LullError(
      'USAGE',
      `${flag} ${text}: not a time; write 22:00, 8h, 2026-11-24 or 2026-11-24T02:00`,
    )
  }
}
