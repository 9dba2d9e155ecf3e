/** Copilot CLI's screens: its footer tells that it works. */
import { rule, waiting, working } from '../screen/rule.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'

export const screens: ScreenRules = {
  version: '1.0.102',
  rules: [
    rule('trust', 'dialog', /\btrust the files in this folder\b|\bconfirm folder trust\b/i, waiting('trust')),
    rule(
      'permission',
      'dialog',
      /\bdo you want to (?:allow|run|make|create|edit|proceed)\b|\btell copilot what to do differently\b/i,
      waiting('permission'),
    ),
    rule('working', 'footer', /^\s*[◎◉○●∙•◌◍]\s+\S+(?: \S+){0,6} (?:\(|esc\b)/iu, working()),
    rule('thinking', 'activity', /^ {0,3}[◎◉○●∙•◌◍] \S.{0,60}\(esc\b/iu, working()),
  ],
}
