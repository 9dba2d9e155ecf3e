import { rule, type ScreenRule, waiting, working } from '../screen/screen-rule.ts'

/**
 * Of OpenCode's screens, and of its forks': options are drawn side by side beside a bar, and the row below the composer shows
 * the state.
 */
export const rulesBesideBar: readonly ScreenRule[] = [
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
]
