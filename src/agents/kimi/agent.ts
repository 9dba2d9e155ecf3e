import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { atComposer, rule, waiting, working } from '../screen/screen-rule.ts'

const screens: ScreenRules = {
  version: '2.1.0',
  rules: [
    rule('login', 'dialog', /^\s*Select a platform$/u, waiting('login')),
    rule('submit', 'dialog', /^\s*Ready to submit your answers\?/u, waiting('question')),
    rule('plan', 'dialog', /^\s*▶?\s*Ready to build with this plan\?/u, waiting('plan')),
    rule(
      'permission',
      'dialog',
      /^\s*▶?\s*(?:Run this command|Write this file|Apply these edits|Stop this task)\?|^\s*[▶ ]*\d\. Approve (?:once|for this session)$/u,
      waiting('permission'),
    ),
    rule('models', 'bottom', /^\s*Select a model {2}\(type to search\)/u, atComposer(), {
      isMenu: true,
      confidence: 0.8,
    }),
    rule('question', 'dialog', /^\s*↑↓ select\s.*\besc cancel\b/u, waiting('question')),
    rule('retrying', 'activity', /^ {0,3}[🌑-🌘] Retrying \(\d+\/\d+\)/u, working('retrying')),
    rule('moon', 'activity', /^ {0,3}[🌑-🌘](?: |$)/u, working()),
    rule('writing', 'activity', /^ {0,3}[\u2801-\u28ff] \S/u, working()),
    rule('interrupted', 'activity', /^ {2,4}Interrupted by user$/u, atComposer('interrupt')),
    rule('error', 'activity', /^ {2,4}Error: \[/u, atComposer('error')),
  ],
}

export const kimi: Agent = {
  name: 'kimi',
  title: 'Kimi Code',
  process: commandLines.kimi,
  files: { transcripts: [] },
  screens,
}
