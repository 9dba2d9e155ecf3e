import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { atComposer, rule, waiting } from '../screen/screen-rule.ts'

const screens: ScreenRules = {
  version: '1.5.47',
  rules: [
    rule('menu', 'bottom', /^\s*│\s+↑\/↓ to navigate, Enter to select, Esc to cancel\s+│$/u, atComposer(), {
      isMenu: true,
      confidence: 0.8,
    }),
    rule('login', 'bottom', /^Enter your Anthropic API key:/u, waiting('login')),
    rule('question', 'dialog', /^\s*↑\/↓ navigate, Enter select$/u, waiting('question')),
    rule(
      'interrupted',
      'activity',
      /^ Interrupted by user - Press enter to continue$/u,
      atComposer('interrupt'),
    ),
    rule('error', 'activity', /^Error: \d{3} /u, atComposer('error')),
  ],
}

export const cn: Agent = {
  name: 'cn',
  title: 'Continue CLI',
  process: commandLines.cn,
  files: { transcripts: [] },
  screens,
}
