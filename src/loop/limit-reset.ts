/** When a provider's limit ends, where the error that told of it says so. Only asked of errors known to be limits. */

/** What the errors say; the source of each. */
const durations: readonly RegExp[] = [
  // Gemini's RetryInfo, and its words.
  /"retryDelay":\s*"([\d.]+s)"/,
  /[Pp]lease retry in ([\d.]+(?:ms|[smh])[\d.smh]*)/,
  // OpenAI's rate limits (20s, 6m0s, 1.2s), and Codex's usage limit (3 days 4 hours 9 minutes).
  /[Tt]ry again in ((?:[\d.]+\s?(?:ms|milliseconds?|days?|hours?|minutes?|seconds?|[dhms])[\s,]*(?:and )?)+)/,
]
/** Claude Code's, with the time in seconds since the epoch. */
const epoch = /usage limit reached\|(\d{10})\b/

const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }
/** The longest limits are weekly; a longer time is not believed. */
const longest = 8 * 86_400_000

/**
 * @param wall ms since the epoch, now
 * @returns ms from now; undefined where the error does not say, or says what can't be
 */
export function resetIn(error: string, wall: number): number | undefined {
  const at = epoch.exec(error)?.[1]
  const text = durations.map(pattern => pattern.exec(error)?.[1]).find(found => found !== undefined)
  const ms = at === undefined ? durationOf(text ?? '') : Number(at) * 1000 - wall
  return ms > 0 && ms <= longest ? Math.ceil(ms) : undefined
}

function durationOf(text: string): number {
  let total = 0
  for (const [, number, unit = ''] of text.matchAll(/([\d.]+)\s?([a-z]+)/g))
    total += Number(number) * (/^(ms|milli)/.test(unit) ? 1 : (units[unit.charAt(0)] ?? Number.NaN))
  return total
}
