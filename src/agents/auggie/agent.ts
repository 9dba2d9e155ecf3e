import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { atComposer, rule, waiting, working } from '../screen/screen-rule.ts'

const screens: ScreenRules = {
  version: '0.36.0',
  rules: [
    rule('login', 'bottom', /^\s*→ Login to continue$|^\s*Paste your login code:/u, waiting('login')),
    rule('welcome', 'last', /^\s*Press return to continue, or esc to skip$/u, waiting('dialog')),
    rule('indexing', 'bottom', /^\s*│ \S+ Workspace Indexing Permission\s+│$/u, waiting('permission')),
    rule('indexing-below', 'last', /^\s*Press 1\/2\/3\/4 to select directly\b/u, waiting('permission')),
    rule('permission', 'last', /^ \[A\]llow \[D\]eny\b/u, waiting('permission')),
    // It goes on beside turns, and takes prompts meanwhile.
    rule(
      'indexing-beside',
      'activity',
      /^ [\u2801-\u28ff] (?:Preparing your workspace|Indexing)\b/u,
      working('background'),
      {
        unless: /\besc to interrupt\b/u,
      },
    ),
    rule('error', 'activity', /^API Error: /u, atComposer('error')),
    rule('interrupted', 'activity', /^Interrupted by the user$/u, atComposer('interrupt')),
  ],
}

export const auggie: Agent = {
  name: 'auggie',
  title: 'Auggie',
  process: commandLines.auggie,
  files: { transcripts: [] },
  screens,
}
