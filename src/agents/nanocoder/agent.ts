import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { atComposer, rule, waiting, working } from '../screen/screen-rule.ts'

/** The last row of its composer, whatever is drafted, while a turn goes on; alone where it takes no draft. */
const cancels = /^(?:┃ )?[\u2801-\u28ff] Press Esc to cancel\b/u

const screens: ScreenRules = {
  version: '1.30.0',
  turnOver: /^Worked for an? [a-z]+ \S+\.$/,
  rules: [
    rule(
      'menu',
      'bottom',
      /^\s*│\s+Type to filter · ↑↓ navigate · Enter select · Esc cancel\s+│$/u,
      atComposer(),
      {
        isMenu: true,
        confidence: 0.8,
      },
    ),
    rule('question', 'last', /^↑\/↓ to move · Enter to select · Esc to cancel$/u, waiting('question')),
    rule('answer', 'last', /^Press Enter to submit, Escape to go back$/u, waiting('question')),
    rule('working', 'composer', cancels, working()),
    // With a draft its composer has no sign, and looks like a message.
    rule('working-beside-draft', 'bottom', cancels, working()),
    rule('draft', 'last', /^▶ [a-z-]+ mode on\b/u, atComposer()),
  ],
}

export const nanocoder: Agent = {
  name: 'nanocoder',
  title: 'Nanocoder',
  process: commandLines.nanocoder,
  files: { transcripts: [] },
  screens,
}
