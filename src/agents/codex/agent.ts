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
import { readStatusCommand } from '../kit/status-protocol.ts'
import { apartSubagents } from '../kit/subagent.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'
import { readLine } from './transcript.ts'

const mcpPlan: McpPlan = {
  user: { path: '.codex/config.toml', moved: { variable: 'CODEX_HOME', folder: '.codex' } },
  format: 'toml',
  table: 'mcp_servers',
  entry: usualEntry,
}

const title: SignRule = {
  source: 'title',
  tier: 'seen',
  lag: 1000,
  excludes: ['working', 'waiting'],
  settles: 300,
}

function readOsc(osc: Osc, moment: Moment): Reading {
  if (osc.code === 7501) return readStatusCommand(osc.text, 'codex', moment)
  if (!isTitle(osc) || osc.text === '') return nothing
  return read(show(title, osc.text.slice(0, 40), stateOf(osc.text), moment.seen, moment.seen))
}

function stateOf(text: string): State {
  if (/^[\u2800-\u28ff]/u.test(text)) return { kind: 'working' }
  if (/^\[ [.!] \] Action Required/.test(text)) return { kind: 'waiting', for: 'dialog' }
  return { kind: 'idle' }
}

/**
 * A thread's id is a UUID of version 7: its first 48 bits are the time of its making. Codex' app-server runs the threads
 * of several terminals in one process, so this time, beside a terminal's start, is what tells whose a thread is.
 */
const uuid7 = /([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** When the thread was made whose id stands in a text (an id, a rollout's name), ms since the epoch. */
function threadStart(text: string): number | undefined {
  const [, high, low] = uuid7.exec(text) ?? []
  return high === undefined ? undefined : Number.parseInt(`${high}${low}`, 16)
}

export const codex: HookedAgent = {
  name: 'codex',
  title: 'Codex',
  process: commandLine,
  files: {
    transcripts: ['.codex/sessions/**/rollout-*.jsonl'],
    moved: { variable: 'CODEX_HOME', folder: '.codex' },
    // It makes its thread within about a second of its start (measured); a machine under load takes longer.
    sessionStart: { read: threadStart, before: 2000, after: 10_000 },
  },
  readHook: ownSession(apartSubagents(readHook)),
  readLine,
  readOsc,
  paneTitle: /^(?:[\u2800-\u28ff]|\[ [.!] \] Action Required)/u,
  readRow,
  headless: { rows: ['--json', '--experimental-json'] },
  composer: /^[\s│┃|]*›(?:[ \u00a0]|$)/u,
  screens,
  hooks: hookPlan,
  skills: {
    user: { path: '.codex/skills', moved: { variable: 'CODEX_HOME', folder: '.codex' } },
    project: '.codex/skills',
  },
  mcp: mcpPlan,
}
