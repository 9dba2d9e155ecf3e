/** OpenCode's screens: its options stand side by side, and the row below its composer tells what it does. */
import { rule, waiting, working } from '../screen/rule.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'

export const screens: ScreenRules = {
  version: '1.18.33',
  rules: [
    rule(
      'permission',
      'bottom',
      /^\s*┃\s+(?:△ )?(?:Permission required|Always allow)\b/u,
      waiting('permission'),
      {
        unless: /^\s*╹▀/u,
      },
    ),
    rule('buttons', 'bottom', /^\s*┃\s+Allow once\s{2,}Allow always\s{2,}Reject\b/u, waiting('permission'), {
      unless: /^\s*╹▀/u,
    }),
    rule('question', 'bottom', /\benter (?:confirm|submit|toggle) {1,12}esc dismiss\b/i, waiting('question')),
    rule('retrying', 'footer', /\[retrying\b|\bretrying in \d/i, working('retrying')),
    rule('interrupt', 'footer', /\besc (?:again to )?interrupt\b/i, working()),
    rule('progress', 'footer', /^\s*[■⬝]{4,}/u, working()),
  ],
}
