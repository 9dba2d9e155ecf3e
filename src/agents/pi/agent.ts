import { commandLines } from '../command-lines.ts'
import { hookPlanOf } from '../hook-plans.ts'
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
import { atComposer, rule, type ScreenRules, working } from '../screen/screen-rule.ts'
import { readPiEvent } from './hooks.ts'
import { readLine } from './transcript.ts'

const screens: ScreenRules = {
  version: '0.73.1',
  rules: [
    rule('models', 'bottom', /^\s*Only showing models\b/, atComposer(), { isMenu: true, confidence: 0.8 }),
    rule('retrying', 'activity', /^ {0,3}[\u2801-\u28ff] Retrying\b/u, working('retrying')),
    rule(
      'compacting',
      'activity',
      /^ {0,3}[\u2801-\u28ff] (?:Auto-)?[Cc]ompacting\b/u,
      working('compacting'),
    ),
    rule('spinner', 'activity', /^ {0,3}[\u2801-\u28ff] \S/u, working()),
  ],
}

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
  process: commandLines.pi,
  files: { transcripts: ['.pi/agent/sessions/**/*.jsonl'] },
  readHook: ownSession((input, moment, memory) =>
    readPiEvent(input.event, input.payload, 'hook', moment, memory),
  ),
  readLine,
  readOsc,
  readRow,
  headless: {
    rows: ['--mode json'],
    begins: { type: /^session$/, version: 'number', id: /./, timestamp: /./, cwd: /./ },
  },
  screens,
  hooks: hookPlanOf.pi,
  skills: {
    user: { path: '.pi/agent/skills', moved: { variable: 'PI_CODING_AGENT_DIR', folder: '.pi/agent' } },
    project: '.pi/skills',
  },
}
