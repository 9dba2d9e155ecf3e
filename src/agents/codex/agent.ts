import type { Agent } from '../kit/agent.ts'
import { ownSession } from '../kit/own-session.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { readOsc } from './osc.ts'
import { readRow } from './rows.ts'
import { threadStart } from './thread.ts'
import { readLine } from './transcript.ts'

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  process: {
    argv0: ['codex'],
    script: /@openai\/codex/,
    server: 'app-server',
    // `app-server` is a daemon that Codex leaves behind (docs/research/agents.md#other-agents-events).
    withoutSession: [
      '--version',
      '-V',
      '--help',
      '-h',
      'app-server',
      'apply',
      'cloud',
      'completion',
      'debug',
      'features',
      'help',
      'login',
      'logout',
      'mcp',
      'mcp-server',
      'sandbox',
      'update',
    ],
  },
  files: {
    transcripts: ['.codex/sessions/**/rollout-*.jsonl'],
    moved: { variable: 'CODEX_HOME', folder: '.codex' },
    sessionStart: threadStart,
  },
  readHook: ownSession(readHook),
  readLine,
  readOsc,
  readRow,
  screens: [],
  hooks: hookPlan,
}
