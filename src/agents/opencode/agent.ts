import { commandLines } from '../command-lines.ts'
import { hookPlanOf } from '../hook-plans.ts'
import type { HookedAgent } from '../kit/agent.ts'
import type { McpPlan } from '../kit/mcp-plan.ts'
import { readFirstTitle } from '../kit/title.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { rulesBesideBar } from './bar-rules.ts'
import { readHook } from './hooks.ts'
import { readLine } from './log.ts'
import { readRequest } from './requests.ts'
import { readRow } from './rows.ts'

const screens: ScreenRules = { version: '1.18.33', rules: rulesBesideBar }

const mcpPlan: McpPlan = {
  user: { path: '.config/opencode/opencode.json', moved: { variable: 'XDG_CONFIG_HOME', folder: '.config' } },
  project: { path: 'opencode.json' },
  format: 'json',
  table: 'mcp',
  entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
}

export const opencode: HookedAgent = {
  name: 'opencode',
  title: 'OpenCode',
  process: commandLines.opencode,
  files: {
    transcripts: ['.local/share/opencode/log/*.log'],
    writer: { read: line => /^timestamp=\S+ level=\S+ run=(\S{1,100})/.exec(line)?.[1] },
    moved: { variable: 'XDG_DATA_HOME', folder: '.local/share' },
  },
  inherited: { variable: 'OPENCODE_PID', holds: 'pid' },
  readHook,
  readRequest,
  readLine,
  readOsc: readFirstTitle,
  readRow,
  headless: {
    rows: ['--format json'],
    // A run that fails at once has no step.
    begins: { type: /^(?:step_start|error)$/, sessionID: /^ses_/, timestamp: 'number' },
  },
  // Of a refusal its log (1.18.33) has no line.
  dialog: /Permission required/,
  sessionTitle: /^OC \| (?!New session - \d)(.+)/,
  screens,
  hooks: hookPlanOf.opencode,
  mcp: mcpPlan,
}
