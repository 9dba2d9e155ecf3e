import type { HookedAgent } from '../kit/agent.ts'
import type { McpPlan } from '../kit/mcp-plan.ts'
import { readFirstTitle } from '../kit/title.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { readLine } from './log.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'

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
  process: commandLine,
  files: {
    transcripts: ['.local/share/opencode/log/*.log'],
    writer: { read: line => /^timestamp=\S+ level=\S+ run=(\S{1,100})/.exec(line)?.[1] },
    moved: { variable: 'XDG_DATA_HOME', folder: '.local/share' },
  },
  readHook,
  readLine,
  readOsc: readFirstTitle,
  readRow,
  headless: { rows: ['--format json'] },
  // Of a refusal its log (1.18.33) has no line.
  dialog: /Permission required/,
  sessionTitle: /^OC \| (?!New session - \d)(.+)/,
  screens,
  hooks: hookPlan,
  mcp: mcpPlan,
}
