import type { HookedAgent } from '../kit/agent.ts'
import { ownSession } from '../kit/own-session.ts'
import { readFirstTitle } from '../kit/title.ts'
import { commandLine } from './command-line.ts'
import { readEvent } from './events.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { mcpPlan } from './mcp-plan.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'

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
