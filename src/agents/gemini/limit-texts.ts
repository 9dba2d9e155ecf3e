import type { LimitTexts } from '../kit/limit-texts.ts'

export const limitTexts: LimitTexts = {
  // RetryInfo of its API, and its words.
  durations: [/"retryDelay":\s*"([\d.]+s)"/, /[Pp]lease retry in ([\d.]+(?:ms|[smh])[\d.smh]*)/],
}
