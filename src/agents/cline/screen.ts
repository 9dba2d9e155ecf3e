/** Cline's screens: the only source that tells of its permissions. */
import { rule, waiting, working } from '../screen/rule.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'

export const screens: ScreenRules = {
  version: '3.0.65',
  rules: [
    rule('permission', 'bottom', /^\s*Cline needs permission\b/u, waiting('permission')),
    rule('approve', 'bottom', /^\s*\[y\] Approve\s{2,}\[n\] Deny\b/iu, waiting('permission')),
    rule('question', 'bottom', /^\s*Cline is asking a question\b/u, waiting('question')),
    rule('spinner', 'activity', /^ {0,3}[\u2801-\u28ff] \S/u, working()),
  ],
}
