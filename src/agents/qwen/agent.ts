import type { HookedAgent } from '../kit/agent.ts'
import { ownSession } from '../kit/own-session.ts'
import { apartSubagents } from '../kit/subagent.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { mcpPlan } from './mcp-plan.ts'
import { readOsc } from './osc.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'
import { readLine } from './transcript.ts'

export const qwen: HookedAgent = {
  name: 'qwen',
  title: 'Qwen Code',
  process: commandLine,
  files: { transcripts: ['.qwen/projects/*/chats/*.jsonl'] },
  readHook: ownSession(apartSubagents(readHook)),
  readLine,
  readOsc,
  paneTitle: /^(?:[◐◑◒◓✳]\S* )?Qwen\b/u,
  readRow,
  headless: {
    rows: ['--output-format stream-json', '-o stream-json'],
    wrapped: ['--output-format json', '-o json'],
  },
  composer: /^[\s│┃|]*>(?:[ \u00a0]|$)/u,
  screens,
  hooks: hookPlan,
  skills: {
    user: { path: '.qwen/skills', moved: { variable: 'QWEN_HOME', folder: '.qwen' } },
    project: '.qwen/skills',
  },
  mcp: mcpPlan,
}
