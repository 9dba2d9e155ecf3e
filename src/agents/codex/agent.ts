import { ownSession } from '../own-session.ts'
import type { Agent } from '../shape.ts'
import { readHook } from './hooks.ts'
import { readOsc } from './osc.ts'
import { readRow } from './rows.ts'
import { readLine } from './transcript.ts'

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  process: { argv0: ['codex'], script: /@openai\/codex/ },
  files: { transcripts: ['.codex/sessions/**/rollout-*.jsonl'] },
  readHook: ownSession(readHook),
  readLine,
  readOsc,
  readRow,
  screens: [],
}
