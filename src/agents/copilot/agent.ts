import { commandLines } from '../command-lines.ts'
import { hookPlanOf } from '../hook-plans.ts'
import type { HookedAgent } from '../kit/agent.ts'
import type { McpPlan } from '../kit/mcp-plan.ts'
import { ownSession } from '../kit/own-session.ts'
import { readFirstTitle } from '../kit/title.ts'
import { rule, type ScreenRules, waiting, working } from '../screen/screen-rule.ts'
import { readEvent } from './events.ts'
import { readHook } from './hooks.ts'
import { readRow } from './rows.ts'

const screens: ScreenRules = {
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

const mcpPlan: McpPlan = {
  user: { path: '.copilot/mcp-config.json', moved: { variable: 'COPILOT_HOME', folder: '.copilot' } },
  format: 'json',
  table: 'mcpServers',
  entry: ({ command, args }) => ({ tools: ['*'], type: 'local', command, args }),
}

export const copilot: HookedAgent = {
  name: 'copilot',
  title: 'Copilot CLI',
  process: commandLines.copilot,
  files: { transcripts: ['.copilot/session-state/*/events.jsonl'] },
  inherited: { variable: 'COPILOT_AGENT_SESSION_ID', holds: 'session' },
  readHook: ownSession(readHook),
  readLine: (input, moment, memory) => readEvent(input.line, 'transcript', moment, memory),
  readOsc: readFirstTitle,
  readRow,
  headless: {
    rows: ['--output-format json'],
    begins: { type: /^session\./, id: /./, parentId: /./, timestamp: /./, data: 'object' },
  },
  sessionTitle: /^(.+) - GitHub Copilot$/,
  screens,
  hooks: hookPlanOf.copilot,
  mcp: mcpPlan,
}
