import type { State } from '../../core/state.ts'
import { parseIso } from '../../core/trace/time-stamp.ts'
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
import { ownSession } from '../kit/own-session.ts'
import { rule, type ScreenRules, waiting, working } from '../screen/screen-rule.ts'
import { readHook } from './hooks.ts'
import { readRow } from './rows.ts'
import { readLine } from './transcript.ts'

const screens: ScreenRules = {
  version: '0.61.0',
  rules: [
    rule('question', 'dialog', /^\s*answer questions?\b|\benter a custom value\b/i, waiting('question')),
    rule('loop', 'dialog', /\bloop (?:was )?detect/i, waiting('dialog')),
    rule('plan', 'dialog', /\bready to start implementation\b|\bapproves plan\b/i, waiting('plan')),
    rule(
      'permission',
      'dialog',
      /\b(?:allow execution of|apply this change\?|allow once|allow for this session)/i,
      waiting('permission'),
    ),
    rule('confirming', 'bottom', /^ {0,3}\S Waiting for (?:user )?confirmation/iu, waiting('permission')),
    rule('spinner', 'activity', /^ {0,3}[\u2801-\u28ff] .*\((?:esc to cancel|press esc)/iu, working()),
    rule('background', 'activity', / {2}[1-9]\d* Background process(?:es)?\s*$/u, working('background')),
    rule('title-asks', 'title', /^✋/u, waiting('permission')),
    rule('title-works', 'title', /^[✦⏲]/u, working()),
  ],
}

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
  // The title shows Ready up to 1.7 s before the CLI takes a prompt (recorded under load). An earlier prompt waits unseen.
  settles: 3000,
  // On an idle machine its hook follows 0.18 to 0.43 s after the title (the corpus).
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
  process: commandLines.gemini,
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
    begins: { type: /^init$/, session_id: /./, model: /./, timestamp: /./ },
    answers: { type: 'undefined', session_id: /./, response: /^/, stats: 'object' },
  },
  screens,
  hooks: hookPlanOf.gemini,
  skills: {
    user: { path: '.gemini/skills', moved: { variable: 'GEMINI_CLI_HOME', folder: '' } },
    project: '.gemini/skills',
  },
  mcp: mcpPlan,
}
