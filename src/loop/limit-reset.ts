/** When a provider's limit ends, where the error that reported it says so. Only for errors that are known to be limits. */
import { agents } from '../agents/registry.ts'

/** An agent passes on what its provider says, and may run on any one's. */
const texts = Object.values(agents).flatMap(({ limitTexts }) => limitTexts ?? [])

const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }
/** The longest limits are weekly; a longer time is not believed. */
const longest = 8 * 86_400_000
/** It says so in its first lines; characters. */
const longestError = 4000

/**
 * @param wall ms since the epoch, when it was said
 * @returns ms from then; undefined where the error does not say, or says what can't be
 */
export function resetIn(error: string, wall: number): number | undefined {
  const said = error.slice(0, longestError)
  const firstOf = (patterns: readonly RegExp[]): string | undefined =>
    patterns.map(pattern => pattern.exec(said)?.[1]).find(found => found !== undefined)
  const at = firstOf(texts.flatMap(({ end }) => end ?? []))
  const text = firstOf(texts.flatMap(({ durations = [] }) => durations))
  const time = firstOf(texts.flatMap(({ clock }) => clock ?? []))
  const ms =
    at !== undefined
      ? Number(at) * 1000 - wall
      : time !== undefined && text === undefined
        ? untilClock(time, wall)
        : durationOf(text ?? '')
  return ms > 0 && ms <= longest ? Math.ceil(ms) : undefined
}

function durationOf(text: string): number {
  let total = 0
  for (const [, number, unit = ''] of text.matchAll(/(?<![\d.])([\d.]+)\s?([a-z]+)/g))
    total += Number(number) * (/^(ms|milli)/.test(unit) ? 1 : (units[unit.charAt(0)] ?? Number.NaN))
  return total
}

const months = 'janfebmaraprmayjunjulaugsepoctnovdec'
const minuteMs = 60_000

/** A time of the day, or of another day, in the zone of this machine; its seconds are cut off. */
function untilClock(text: string, wall: number): number {
  const said =
    /^(?:([a-z]{3}) (\d{1,2})[a-z]{0,2},? (?:(\d{4}),? )?(?:at )?)?(0?[1-9]|1[0-2])(?::([0-5]\d))? ?([ap])m$/i.exec(
      text,
    )
  if (!said) return Number.NaN
  const [, month, day, year, hour, minute = '0', half = ''] = said
  const now = new Date(wall)
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const [y, m, d] =
    month === undefined
      ? [now.getFullYear(), now.getMonth(), now.getDate()]
      : [Number(year ?? now.getFullYear()), months.indexOf(month.toLowerCase()) / 3, Number(day)]
  const on = (date: number) => new Date(y, m, date, hours, Number(minute)).getTime() + minuteMs
  // A time without a day is the next one.
  return (on(d) <= wall && month === undefined ? on(d + 1) : on(d)) - wall
}
