/** Other programs' time stamps, read without a clock. */

const iso = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?$/
const day = 86_400_000

/** An ISO 8601 time as ms since the epoch (UTC where it names no zone), or undefined where it is none. */
export function parseIso(text: string): number | undefined {
  const match = iso.exec(text)
  if (!match) return undefined
  const [, year, month, date, hour, minute, second, fraction = '0', zone = 'Z'] = match
  const ms = Math.floor(Number(`0.${fraction}`) * 1000)
  const clock = Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000 + ms
  return daysSinceEpoch(Number(year), Number(month), Number(date)) * day + clock - zoneOffset(zone)
}

/**
 * A stamp as programs write them, as ms since the epoch: ISO text, or a number of seconds or of milliseconds.
 * Numbers above 1e11 are milliseconds (as seconds they would lie in the year 5138).
 */
export function parseStamp(value: unknown): number | undefined {
  if (typeof value === 'string') return parseIso(value)
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 1e8) return undefined
  return value > 1e11 ? value : value * 1000
}

function zoneOffset(zone: string): number {
  if (zone === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * 60_000
}

/** Days from 1970-01-01 in the proleptic Gregorian calendar; the year is counted from March, so leap days come last. */
function daysSinceEpoch(year: number, month: number, date: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + date - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}
