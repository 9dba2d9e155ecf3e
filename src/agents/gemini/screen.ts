/** Gemini CLI's screens. */
import { rule, waiting, working } from '../screen/rule.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'

export const screens: ScreenRules = {
  version: '0.61.0',
  rules: [
    rule('question', 'dialog', /^\s*answer questions?\b|\benter a custom value\b/i, waiting('question')),
    rule('loop', 'dialog', /\bloop (?:was )?detect/i, waiting('dialog')),
    rule('plan', 'dialog', /\bready to start implementation\b|\bapproves plan\b/i, waiting('plan')),
    rule(
      'permission',
      'dialog',
      /\b(?:allow execution of|apply this change\?|allow once|allow for this session)/i,
      waiting('permission'),
    ),
    rule('confirming', 'bottom', /^ {0,3}\S Waiting for (?:user )?confirmation/iu, waiting('permission')),
    rule('spinner', 'activity', /^ {0,3}[\u2801-\u28ff] .*\((?:esc to cancel|press esc)/iu, working()),
    rule('title-asks', 'title', /^✋/u, waiting('permission')),
    rule('title-works', 'title', /^[✦⏲]/u, working()),
  ],
}
