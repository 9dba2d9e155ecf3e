/** Values of options: durations, times of the past, kinds of background work. */
import { backgroundKinds, isBackgroundKind } from '../../core/evidence/background.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { parseDuration, parseTyped } from '../../core/text/duration.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { BackgroundKind } from '../../core.ts'

/** `task,remote`; undefined where it is something else, or nothing was given. */
export function kindsOf(value: boolean | string | undefined): BackgroundKind[] | undefined {
  if (typeof value !== 'string') return undefined
  const words = value.split(',').map(word => word.trim())
  return words.every(isBackgroundKind) ? words : undefined
}

/**
 * @returns all work that goes on, some kinds of it, or none
 * @throws {LullError} USAGE where a word that follows it is no kind: whether it is the session or the text nobody knows
 */
export function backgroundFlag(value: boolean | string | undefined): boolean | readonly BackgroundKind[] {
  if (typeof value !== 'string') return value === true
  const kinds = kindsOf(value)
  if (kinds) return kinds
  throw new LullError(
    'USAGE',
    `--ignore-background ${value}: the kinds are ${backgroundKinds.slice(0, -1).join(', ')} and ${backgroundKinds.at(-1)}; without a kind, put the option last`,
  )
}

/** @throws {LullError} USAGE */
export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port > 0 && port < 65_536) return port
  throw new LullError('USAGE', `--port ${oneLine(text, 100)}: must be a port number from 1 to 65535`)
}

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

/**
 * The value of `option`, ms.
 * @throws {LullError} USAGE where it is none
 */
export function readDuration(option: string, text: string): number {
  try {
    return parseTyped(text)
  } catch (error) {
    if (isLullError(error, 'BAD_DURATION'))
      throw new LullError('USAGE', `${option} ${text}: ${error.message}`)
    throw error
  }
}

/** The value of a flag that may be missing, ms. @throws {LullError} USAGE, with the flag in front of what is wrong */
export function durationFlag(flag: string, text: string | undefined): number | undefined {
  try {
    return text === undefined ? undefined : parseTyped(text)
  } catch (error) {
    throw new LullError('USAGE', `${flag}: ${(error as Error).message}`)
  }
}
