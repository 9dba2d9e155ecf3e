/** When a provider's limit ends, read from the error that reported it. Only for errors that are known to be limits. */
import { limitTexts as texts } from '../agents/limit-texts.ts'

const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }
/** The longest limits are weekly; a longer time is ignored. */
const longest = 8 * 86_400_000
/** The time is in the first lines; characters. */
const longestError = 4000

/**
 * @param wall time of the error, ms since the epoch
 * @param zone ms by which this machine's clock was ahead of UTC then
 * @returns ms from then; undefined where the error has no time, or an impossible one
 */
export function resetIn(error: string, wall: number, zone: number): number | undefined {
  const begun = error.slice(0, longestError)
  const firstOf = (patterns: readonly RegExp[]): string | undefined =>
    patterns.map(pattern => pattern.exec(begun)?.[1]).find(found => found !== undefined)
  const at = firstOf(texts.flatMap(({ end }) => end ?? []))
  const text = firstOf(texts.flatMap(({ durations = [] }) => durations))
  const time = firstOf(texts.flatMap(({ clock }) => clock ?? []))
  const ms =
    at !== undefined
      ? Number(at) * 1000 - wall
      : time !== undefined && text === undefined
        ? untilClock(time, wall, zone)
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
const dayMs = 86_400_000
const minuteMs = 60_000

/** A time of the day, or of another day, as the machine's clock shows it; its seconds are cut off. */
function untilClock(text: string, wall: number, zone: number): number {
  const parts =
    /^(?:([a-z]{3}) (\d{1,2})[a-z]{0,2},? (?:(\d{4}),? )?(?:at )?)?(0?[1-9]|1[0-2])(?::([0-5]\d))? ?([ap])m$/i.exec(
      text,
    )
  if (!parts) return Number.NaN
  const [, month, day, year, hour, minute = '0', half = ''] = parts
  const local = wall + zone
  const minutes = 60 * ((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) + Number(minute) + 1
  const onDay = (days: number): number => days * dayMs + minutes * minuteMs - local
  if (month === undefined) {
    // A time without a day is the next one.
    const today = Math.floor(local / dayMs)
    return onDay(today) > 0 ? onDay(today) : onDay(today + 1)
  }
  const number = months.indexOf(month.toLowerCase()) / 3 + 1
  const ends = yearsAround(local, year).map(y => onDay(daysTo(y, number, Number(day))))
  return ends.find(ms => ms > 0) ?? Number.NaN
}

/** Where none is named it is this one, or the next: the last week of December. */
const yearsAround = (local: number, year: string | undefined): readonly number[] => {
  const now = 1970 + Math.floor(local / (365.2425 * dayMs))
  return year === undefined ? [now, now + 1] : [Number(year)]
}

/** From 1970-01-01, in the calendar of today. https://howardhinnant.github.io/date_algorithms.html#days_from_civil */
function daysTo(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + ofYear - 719_468
}
