/** Instants of a server's monotonic clock, converted to those of this machine. Pure. */
import type { Instant } from '../../core/state.ts'
import { isRecord } from '../../core/trace/trace.ts'

/**
 * Keeps the offset between the two clocks. An exchange bounds it: the server's instant was read between two instants of this
 * machine. An offset that these bounds allow is kept, so that the same instant of the server is always the same here. On one
 * machine both clocks are the same, and the offset stays 0. Else it is wrong by half of the exchange at most.
 */
export function clockOffset() {
  let offset = 0
  return {
    /** @param now the server's instant, read after `from` and before `to` of this machine */
    exchange(now: Instant, from: Instant, to: Instant): void {
      if (offset < from - now || offset > to - now) offset = (from + to) / 2 - now
    },
    get: (): number => offset,
  }
}

/** The fields of a session that hold an instant, wherever they are. */
const instantFields: ReadonlySet<string> = new Set([
  ...['now', 'at', 'seen', 'since', 'until', 'recheckAt', 'settledFrom'],
  ...['lastStart', 'lastEnd', 'startedAt', 'tokensAt', 'toolAt', 'promptAt', 'busySince', 'press'],
])

/** Before every instant (core/evidence/turns.ts): it stays the same on each machine. */
const never = Number.MIN_SAFE_INTEGER

/** A value of JSON with each instant in it moved by so many ms. */
export function shiftInstants<T>(value: T, by: number): T {
  return by === 0 ? value : (shifted(value, by) as T)
}

function shifted(value: unknown, by: number): unknown {
  if (Array.isArray(value)) return value.map(item => shifted(item, by))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [
      field,
      typeof item !== 'number' ? shifted(item, by) : isInstant(field, item) ? item + by : item,
    ]),
  )
}

const isInstant = (field: string, value: number): boolean => instantFields.has(field) && value !== never
