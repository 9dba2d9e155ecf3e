import type { LimitTexts } from '../kit/limit-texts.ts'

export const limitTexts: LimitTexts = {
  durations: [
    // The rate limits of its API (20s, 6m0s, 1.2s), and its own usage limit (3 days 4 hours 9 minutes).
    /[Tt]ry again in ((?:[\d.]+\s?(?:ms|milliseconds?|days?|hours?|minutes?|seconds?|[dhms])[\s,]*(?:and )?)+)/,
  ],
  clock: /[Tt]ry again at ((?:[A-Z][a-z]{2} \d{1,2}[a-z]{2}, \d{4} )?\d{1,2}:\d\d [AP]M)/,
}
