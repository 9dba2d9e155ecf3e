/**
 * How the errors of agents name the end of a provider's limit. The texts are not kept by agent, as an agent passes on the words
 * of its provider and may run on any; and apart from the readers, which `lull ps` does not load.
 */

/** Where an agent's errors say when a provider's limit ends. Group 1 of each pattern holds the time. */
type LimitTexts = {
  /** How long it lasts: `20s`, `6m0s`, `3 days 4 hours`. */
  readonly durations?: readonly RegExp[]
  /** When it ends, seconds since the epoch. */
  readonly end?: RegExp
  /** When it ends, as a time of this machine's zone: `3pm`, `2:25 AM`, `Nov 26th, 2026 2:25 AM`. */
  readonly clock?: RegExp
}

const claude: LimitTexts = {
  end: /usage limit reached\|(\d{10})\b/,
  // "You've hit your session limit · resets 3:45pm (UTC)"; beyond a day it names the date.
  clock: /\bresets ((?:[A-Z][a-z]{2} \d{1,2}, (?:\d{4}, )?(?:at )?)?\d{1,2}(?::\d\d)? ?[ap]m)\b/,
}

const codex: LimitTexts = {
  durations: [
    // The rate limits of its API (20s, 6m0s, 1.2s), and its own usage limit (3 days 4 hours 9 minutes).
    /[Tt]ry again in ((?:[\d.]+\s?(?:ms|milliseconds?|days?|hours?|minutes?|seconds?|[dhms])[\s,]*(?:and )?)+)/,
  ],
  clock: /[Tt]ry again at ((?:[A-Z][a-z]{2} \d{1,2}[a-z]{2}, \d{4} )?\d{1,2}:\d\d [AP]M)/,
}

const gemini: LimitTexts = {
  // RetryInfo of its API, and its words.
  durations: [/"retryDelay":\s*"([\d.]+s)"/, /[Pp]lease retry in ([\d.]+(?:ms|[smh])[\d.smh]*)/],
}

export const limitTexts: readonly LimitTexts[] = [claude, codex, gemini]
