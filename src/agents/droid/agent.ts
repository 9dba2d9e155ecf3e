import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import type { McpPlan } from '../kit/mcp-plan.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { atComposer, rule, waiting, working } from '../screen/screen-rule.ts'

const screens: ScreenRules = {
  version: '0.225.2',
  rules: [
    rule('login', 'dialog', /^\s*Please login with your Factory account\b/u, waiting('login')),
    rule('login-failed', 'composer', /^\s*> Press Enter to try again$/u, waiting('login')),
    rule(
      'plan',
      'bottom',
      /^\s*(?:│\s*)?Specification for approval\b|\bNo, keep iterating on spec\b/u,
      waiting('plan'),
    ),
    rule('permission', 'bottom', /^ {0,3}(?:Command|\w+(?: \w+)?) to approve\b/u, waiting('permission')),
    rule('allow', 'bottom', /^\s*│\s+Yes, (?:allow\b|and always allow\b)/u, waiting('permission')),
    rule('question', 'bottom', /• ESC stop agent\s*$/u, waiting('question')),
    rule('menu', 'bottom', /\bType search\b.*\bEsc cancel\b/u, atComposer(), {
      isMenu: true,
      confidence: 0.8,
    }),
    rule('retrying', 'activity', /^ {0,3}[\u2801-\u28ff] Retrying the model request\b/u, working('retrying')),
    rule('working', 'activity', /\(Press ESC to stop\)\s*$/u, working()),
    rule('steering', 'composer', /\bEnter to steer\b/u, working()),
    rule('cancelled', 'activity', /^● {1,2}Request cancelled by user$/u, atComposer('interrupt')),
    rule('error', 'recent', /^● {1,2}BYOK Error\b/u, atComposer('error'), {
      unless: /\(Press ESC to stop\)/u,
    }),
  ],
}

const mcpPlan: McpPlan = {
  user: { path: '.factory/mcp.json' },
  format: 'json',
  table: 'mcpServers',
  entry: ({ command, args }) => ({ type: 'stdio', command, args, disabled: false }),
}

export const droid: Agent = {
  name: 'droid',
  title: 'Droid',
  process: commandLines.droid,
  mcp: mcpPlan,
  files: { transcripts: [] },
  screens,
}
