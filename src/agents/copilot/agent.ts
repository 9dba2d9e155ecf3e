import type { HookedAgent } from '../kit/agent.ts'
import type { McpPlan } from '../kit/mcp-plan.ts'
import { ownSession } from '../kit/own-session.ts'
import { readFirstTitle } from '../kit/title.ts'
import { commandLine } from './command-line.ts'
import { readEvent } from './events.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'

const mcpPlan: McpPlan = {
  user: { path: '.copilot/mcp-config.json', moved: { variable: 'COPILOT_HOME', folder: '.copilot' } },
  format: 'json',
  table: 'mcpServers',
  entry: ({ command, args }) => ({ tools: ['*'], type: 'local', command, args }),
}

export const copilot: HookedAgent = {
  name: 'copilot',
  title: 'Copilot CLI',
  process: commandLine,
  files: { transcripts: ['.copilot/session-state/*/events.jsonl'] },
  readHook: ownSession(readHook),
  readLine: (input, moment, memory) => readEvent(input.line, 'transcript', moment, memory),
  readOsc: readFirstTitle,
  readRow,
  headless: { rows: ['--output-format json'] },
  composer: /^[\s│┃|]*❯(?:[ \u00a0]|$)/u,
  sessionTitle: /^(.+) - GitHub Copilot$/,
  screens,
  hooks: hookPlan,
  mcp: mcpPlan,
}
