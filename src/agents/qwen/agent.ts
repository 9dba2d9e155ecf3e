import type { State } from '../../core/state.ts'
import { commandLines } from '../command-lines.ts'
import { hookPlanOf } from '../hook-plans.ts'
import {
  type HookedAgent,
  type Moment,
  nothing,
  type Reading,
  read,
  type SignRule,
  show,
} from '../kit/agent.ts'
import { type McpPlan, usualEntry } from '../kit/mcp-plan.ts'
import { isTitle, type Osc } from '../kit/osc.ts'
import { apartSubagents, ownSession } from '../kit/own-session.ts'
import { rule, type ScreenRules, waiting, working } from '../screen/screen-rule.ts'
import { readHook } from './hooks.ts'
import { readRow } from './rows.ts'
import { readLine } from './transcript.ts'

const screens: ScreenRules = {
  version: '0.24.4',
  rules: [
    rule(
      'question',
      'dialog',
      /\btype something\.{3}|\bask user \d+ question|^\s*\? AskUserQuestion\b/i,
      waiting('question'),
    ),
    rule(
      'permission',
      'dialog',
      /\b(?:allow execution of|apply this change\?|yes, allow once)/i,
      waiting('permission'),
    ),
    rule('confirming', 'bottom', /^ {0,3}\S Waiting for user confirmation/iu, waiting('permission')),
    rule('phrase', 'activity', /^ {0,3}\S{1,2}\s{1,2}\S.*\((?:\d+[hms] ?)+.*\besc to cancel\)/u, working()),
    // The sign of a tool that runs; a command of the person's own shows nothing else.
    rule('tool', 'activity', /^ {0,3}⊷ /u, working()),
    rule('steering', 'footer', /\benter to steer\b/i, working()),
  ],
}

const mcpPlan: McpPlan = {
  user: { path: '.qwen/settings.json', moved: { variable: 'QWEN_HOME', folder: '.qwen' } },
  project: { path: '.qwen/settings.json' },
  format: 'json',
  table: 'mcpServers',
  entry: usualEntry,
}

/**
 * Lag: 222 ms median, 288 ms at most after a turn's end (docs/research/agents.md#latency). Settles: the title is set
 * 0.4 to 1.3 s before the prompt, 0.7 s or more where no hook reports it.
 */
const title: SignRule = {
  source: 'title',
  tier: 'declared',
  lag: 750,
  excludes: ['working', 'waiting'],
  settles: 1300,
  mayBeUpFrom: 700,
}

function readOsc(osc: Osc, { seen }: Moment): Reading {
  if (!isTitle(osc) || osc.text === '') return nothing
  const state = stateOf(osc.text)
  return state ? read(show(title, osc.text.slice(0, 40), state, seen, seen)) : nothing
}

function stateOf(text: string): State | undefined {
  if (/^[◐◑◒◓]/u.test(text)) return { kind: 'working' }
  if (text.startsWith('✳')) return { kind: 'waiting', for: 'dialog' }
  return text.startsWith('Qwen') ? { kind: 'idle' } : undefined
}

export const qwen: HookedAgent = {
  name: 'qwen',
  title: 'Qwen Code',
  process: commandLines.qwen,
  files: { transcripts: ['.qwen/projects/*/chats/*.jsonl'] },
  inherited: { variable: 'QWEN_CODE_SESSION_ID', holds: 'session' },
  readHook: ownSession(apartSubagents(readHook)),
  readLine,
  readOsc,
  paneTitle: /^(?:[◐◑◒◓✳]\S* )?Qwen\b/u,
  readRow,
  headless: {
    rows: ['--output-format stream-json', '-o stream-json'],
    begins: { type: /^system$/, subtype: /^init$/, session_id: /./, permission_mode: /./ },
  },
  screens,
  hooks: hookPlanOf.qwen,
  skills: {
    user: { path: '.qwen/skills', moved: { variable: 'QWEN_HOME', folder: '.qwen' } },
    project: '.qwen/skills',
  },
  mcp: mcpPlan,
}
