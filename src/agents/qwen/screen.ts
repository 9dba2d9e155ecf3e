/** Qwen Code's screens: of Gemini CLI's make, with phrases of its own. */
import { rule, waiting, working } from '../screen/rule.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'

export const screens: ScreenRules = {
  version: '0.24.4',
  rules: [
    rule(
      'question',
      'dialog',
      /\btype something\.{3}|\bask user \d+ question|^\s*\? AskUserQuestion\b/i,
      waiting('question'),
    ),
    rule(
      'permission',
      'dialog',
      /\b(?:allow execution of|apply this change\?|yes, allow once)/i,
      waiting('permission'),
    ),
    rule('confirming', 'bottom', /^ {0,3}\S Waiting for user confirmation/iu, waiting('permission')),
    rule('phrase', 'activity', /^ {0,3}\S{1,2}\s{1,2}\S.*\((?:\d+[hms] ?)+.*\besc to cancel\)/u, working()),
    // The sign of a tool that runs; a command of the person's own shows nothing else.
    rule('tool', 'activity', /^ {0,3}⊷ /u, working()),
    rule('steering', 'footer', /\benter to steer\b/i, working()),
  ],
}
