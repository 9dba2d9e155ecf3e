import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import { type McpPlan, usualEntry } from '../kit/mcp-plan.ts'
import { besideRules } from '../screen/common-rules.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { atComposer, rule, waiting, working } from '../screen/screen-rule.ts'

const screens: ScreenRules = {
  version: '1.0.41',
  // The composer is always visible.
  hidesWork: true,
  rules: [
    rule('login', 'recent', /^\s*Login with Grok\s+l$/u, waiting('login')),
    rule(
      'permission',
      'bottom',
      /^\s*┃\s+\d \([●○]\) (?:Yes, |No, reject|Never allow)/u,
      waiting('permission'),
    ),
    rule('question', 'bottom', /^\s*┃\s+z \([●○]\) Type your answer here/u, waiting('question')),
    rule('waiting-on-answers', 'bottom', /^\s*◆ Waiting on answers for\b/u, waiting('question')),
    rule('stop', 'activity', /\[stop\]\s*$/u, working()),
    ...besideRules,
    rule('cancel', 'footer', /\bCtrl\+c:cancel\b/u, working()),
    rule('rest', 'footer', /\bShift\+Tab:mode\b.*\bCtrl\+x:shortcuts\b/u, atComposer()),
    rule('welcome', 'recent', /^\s*│.*\bQuit\s+ctrl\+q\s+│$/u, atComposer()),
  ],
}

const mcpPlan: McpPlan = {
  user: { path: '.grok/config.toml' },
  format: 'toml',
  table: 'mcp_servers',
  entry: usualEntry,
}

export const grok: Agent = {
  name: 'grok',
  title: 'Grok Build',
  process: commandLines.grok,
  mcp: mcpPlan,
  files: { transcripts: [] },
  screens,
}
