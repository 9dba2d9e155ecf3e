import type { Agent } from '../kit/agent.ts'
import { ownSession } from '../kit/own-session.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { readOsc } from './osc.ts'
import { readRow } from './rows.ts'
import { readLine } from './transcript.ts'

export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  process: commandLine,
  files: { transcripts: ['.gemini/tmp/*/chats/session-*.jsonl'] },
  readHook: ownSession(readHook),
  readLine,
  readOsc,
  readRow,
  headless: {
    rows: ['--output-format stream-json', '-o stream-json'],
    wrapped: ['--output-format json', '-o json'],
  },
  limitTexts: {
    // RetryInfo of its API, and its words.
    durations: [/"retryDelay":\s*"([\d.]+s)"/, /[Pp]lease retry in ([\d.]+(?:ms|[smh])[\d.smh]*)/],
  },
  screens: [],
  hooks: hookPlan,
}
