import type { State } from '../../core/state.ts'
import { parseIso } from '../../core/trace/time-stamp.ts'
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
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'
import { readLine } from './transcript.ts'

const mcpPlan: McpPlan = {
  user: { path: '.gemini/settings.json', moved: { variable: 'GEMINI_CLI_HOME', folder: '' } },
  project: { path: '.gemini/settings.json' },
  format: 'json',
  table: 'mcpServers',
  entry: usualEntry,
}

/** Lag: 155 ms median, 234 ms at most after a turn's end (docs/research/agents.md#latency). */
const title: SignRule = {
  source: 'title',
  tier: 'declared',
  lag: 750,
  excludes: ['working', 'waiting'],
  // It says Ready up to 1.7 s before it takes a prompt (recorded under load): one that is typed by then waits unseen.
  settles: 3000,
  // On an idle machine its hook says so 0.18 to 0.43 s after the title (the corpus).
  mayBeUpFrom: 500,
}

const states: readonly (readonly [string, State])[] = [
  ['◇', { kind: 'idle' }],
  ['✦', { kind: 'working' }],
  ['✋', { kind: 'waiting', for: 'dialog' }],
]

function readOsc(osc: Osc, { seen }: Moment): Reading {
  if (!isTitle(osc)) return nothing
  const state = states.find(([glyph]) => osc.text.startsWith(glyph))?.[1]
  return state ? read(show(title, osc.text.trim().slice(0, 40), state, seen, seen)) : nothing
}

/** `session-2026-11-21T22-40-a181d969.jsonl`, ms since the epoch. */
function chatStart(name: string): number | undefined {
  const [, day, hour, minute] = /^session-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-/.exec(name) ?? []
  return day === undefined ? undefined : parseIso(`${day}T${hour}:${minute}:00Z`)
}

export const gemini: HookedAgent = {
  name: 'gemini',
  title: 'Gemini CLI',
  process: commandLine,
  files: {
    transcripts: ['.gemini/tmp/*/chats/session-*.jsonl'],
    // The name of a chat holds the minute in which it was begun.
    sessionStart: { read: chatStart, before: 60_000, after: 10_000 },
    project: { note: '../.project_root', list: '.gemini/projects.json' },
  },
  readHook: ownSession(readHook),
  readLine,
  readOsc,
  paneTitle: /^[◇✦✋]/u,
  readRow,
  headless: {
    rows: ['--output-format stream-json', '-o stream-json'],
    wrapped: ['--output-format json', '-o json'],
  },
  composer: /^[\s│┃|]*>(?:[ \u00a0]|$)/u,
  screens,
  hooks: hookPlan,
  skills: {
    user: { path: '.gemini/skills', moved: { variable: 'GEMINI_CLI_HOME', folder: '' } },
    project: '.gemini/skills',
  },
  mcp: mcpPlan,
}
