import type { LimitTexts } from '../kit/limit-texts.ts'

export const limitTexts: LimitTexts = {
  end: /usage limit reached\|(\d{10})\b/,
  // "You've hit your session limit · resets 3:45pm (UTC)"; beyond a day it names it.
  clock: /\bresets ((?:[A-Z][a-z]{2} \d{1,2}, (?:\d{4}, )?(?:at )?)?\d{1,2}(?::\d\d)? ?[ap]m)\b/,
}
