import {
  type HookedAgent,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
  type SignRule,
  show,
} from '../kit/agent.ts'
import { readRecord } from '../kit/fields.ts'
import { type Osc, progressOf } from '../kit/osc.ts'
import { ownSession } from '../kit/own-session.ts'
import { readFirstTitle } from '../kit/title.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readPiEvent } from './hooks.ts'
import { screens } from './screen.ts'
import { readLine } from './transcript.ts'

function readRow(line: string, moment: Moment, memory: Memory): Reading {
  const record = readRecord(line, 'row')
  if (!record.ok) return refuse(record.reason)
  const type = record.value.type
  if (typeof type !== 'string') return refuse('row: without a type')
  return readPiEvent(type.slice(0, 60), record.value, 'rows', moment, memory)
}

const progress: SignRule = { source: 'progress', tier: 'declared', lag: 500, excludes: ['working'] }

function readOsc(osc: Osc, moment: Moment, memory: Memory): Reading {
  if (osc.code !== 9) return readFirstTitle(osc, moment, memory)
  const bar = progressOf(osc)
  if (bar === undefined) return nothing
  const { seen } = moment
  return read(show(progress, `9;${osc.text}`, { kind: bar === 'shown' ? 'working' : 'idle' }, seen, seen))
}

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
