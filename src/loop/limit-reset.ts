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
 * @param wall ms since the epoch, now
 * @returns ms from now; undefined where the error does not say, or says what can't be
 */
export function resetIn(error: string, wall: number): number | undefined {
  const said = error.slice(0, longestError)
  const firstOf = (patterns: readonly RegExp[]): string | undefined =>
    patterns.map(pattern => pattern.exec(said)?.[1]).find(found => found !== undefined)
  const at = firstOf(texts.flatMap(({ end }) => end ?? []))
  const text = firstOf(texts.flatMap(({ durations = [] }) => durations))
  const ms = at === undefined ? durationOf(text ?? '') : Number(at) * 1000 - wall
  return ms > 0 && ms <= longest ? Math.ceil(ms) : undefined
}

function durationOf(text: string): number {
  let total = 0
  for (const [, number, unit = ''] of text.matchAll(/(?<![\d.])([\d.]+)\s?([a-z]+)/g))
    total += Number(number) * (/^(ms|milli)/.test(unit) ? 1 : (units[unit.charAt(0)] ?? Number.NaN))
  return total
}
