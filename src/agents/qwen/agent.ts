import type { Agent } from '../kit/agent.ts'
import { ownSession } from '../kit/own-session.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { readOsc } from './osc.ts'
import { readRow } from './rows.ts'
import { readLine } from './transcript.ts'

export const qwen: Agent = {
  name: 'qwen',
  title: 'Qwen Code',
  process: {
    argv0: ['qwen'],
    script: /@qwen-code\/qwen-code/,
    withoutSession: ['--version', '-v', '--help', '-h', 'mcp', 'extensions', 'auth', 'hooks'],
  },
  files: { transcripts: ['.qwen/projects/*/chats/*.jsonl'] },
  readHook: ownSession(readHook),
  readLine,
  readOsc,
  readRow,
  headless: {
    rows: ['--output-format stream-json', '-o stream-json'],
    wrapped: ['--output-format json', '-o json'],
  },
  screens: [],
  hooks: hookPlan,
}
