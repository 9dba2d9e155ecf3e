import type { HookedAgent } from '../kit/agent.ts'
import { ownSession } from '../kit/own-session.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readPiEvent } from './hooks.ts'
import { readOsc } from './osc.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'
import { readLine } from './transcript.ts'

export const pi: HookedAgent = {
  name: 'pi',
  title: 'pi',
  process: commandLine,
  files: { transcripts: ['.pi/agent/sessions/**/*.jsonl'] },
  readHook: ownSession((input, moment, memory) =>
    readPiEvent(input.event, input.payload, 'hook', moment, memory),
  ),
  readLine,
  readOsc,
  readRow,
  headless: { rows: ['--mode json'] },
  screens,
  hooks: hookPlan,
  skills: {
    user: { path: '.pi/agent/skills', moved: { variable: 'PI_CODING_AGENT_DIR', folder: '.pi/agent' } },
    project: '.pi/skills',
  },
}
