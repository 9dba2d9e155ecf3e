/**
 * Kiro CLI's screens: lines of a terminal, as its forerunner Amazon Q printed them, from memory. Its answers begin with the
 * sign of its prompt, and so does the place for the answer to a question: it is never called idle.
 */
import { rule, waiting, working } from '../screen/rule.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'

const asks = /\bAllow this action\?|\[y\/n\/t\]:?$/u
const thinks = /^ {0,2}[\u2801-\u28ff]\s+\S.{0,60}(?:\.{3}|…)$/u

export const screens: ScreenRules = {
  unverified: 'memory',
  hidesWork: true,
  rules: [
    rule('permission', 'activity', asks, waiting('permission')),
    // A prompt that was sent stands above it, and looks like a composer.
    rule('permission-below', 'footer', asks, waiting('permission')),
    rule('thinking', 'last', thinks, working()),
    rule('thinking-below', 'footer', thinks, working()),
  ],
}
