/** pi's screens. It asks for no permission. */
import { atComposer, rule, working } from '../screen/rule.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'

export const screens: ScreenRules = {
  version: '0.73.1',
  rules: [
    rule('models', 'bottom', /^\s*Only showing models\b/, atComposer(), { isMenu: true, confidence: 0.8 }),
    rule('retrying', 'activity', /^ {0,3}[\u2801-\u28ff] Retrying\b/u, working('retrying')),
    rule(
      'compacting',
      'activity',
      /^ {0,3}[\u2801-\u28ff] (?:Auto-)?[Cc]ompacting\b/u,
      working('compacting'),
    ),
    rule('spinner', 'activity', /^ {0,3}[\u2801-\u28ff] \S/u, working()),
  ],
}
