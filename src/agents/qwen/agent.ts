import type { State } from '../../core/state.ts'
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
import { ownSession } from '../kit/own-session.ts'
import { apartSubagents } from '../kit/subagent.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'
import { readLine } from './transcript.ts'

const mcpPlan: McpPlan = {
  user: { path: '.qwen/settings.json', moved: { variable: 'QWEN_HOME', folder: '.qwen' } },
  project: { path: '.qwen/settings.json' },
  format: 'json',
  table: 'mcpServers',
  entry: usualEntry,
}

/**
 * Lag: 222 ms median, 288 ms at most after a turn's end (docs/research/agents.md#latency). Settles: the title is set
 * 0.4 to 1.3 s before the prompt, 0.7 s or more where no hook tells of it.
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
