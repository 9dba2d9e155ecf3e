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
import { readStatusCommand } from '../kit/status-protocol.ts'
import { besideRules } from '../screen/common-rules.ts'
import { atComposer, rule, type ScreenRules, waiting, working } from '../screen/screen-rule.ts'
import { readHook } from './hooks.ts'
import { readRow } from './rows.ts'
import { readLine } from './transcript.ts'

/** `  Worked for 20s • 22:42`; earlier a divider, which a last message may follow. */
const turnOver = /^[\s─]*Worked for <?\d[\dhms ]*(?:•.*|─*)$/u
const notTurnOver = /^(?![\s─]*Worked for <?\d[\dhms ]*(?:•.*|─*)$)/u

/** What a start shows, a drawing below it, and what is not there before the first prompt. */
const banner = /^ {0,2}(?:│ )?>_ .{0,40}\bOpenAI Codex\b|^ {30,}[\u2801-\u28ff][\u2800-\u28ff ]{7,}$/u
const written = /^ {0,2}[•◦›■⚠✗✔▌⚡>] |^(?:user|codex|thinking|exec)$/u

/** While an answer streams there is no row with a spinner: only the title shows the work. */
const screens: ScreenRules = {
  version: '0.169.0',
  hidesWork: true,
  rules: [
    rule(
      'menu',
      'dialog',
      /^\s*(?:Update Model Permissions|Select (?:Model|Reasoning|Approval)|Experimental features)\b/i,
      atComposer(),
      {
        isMenu: true,
        confidence: 0.8,
      },
    ),
    rule('plan', 'dialog', /\bimplement (?:this|the) plan\b/i, waiting('plan')),
    rule('question', 'dialog', /\bquestion \d+\/\d+\b|\benter to submit answer\b/i, waiting('question')),
    rule(
      'hook-review',
      'dialog',
      /\bhooks? (?:need|require)s? review|review (?:the )?hooks\b/i,
      waiting('trust'),
    ),
    rule(
      'permission',
      'dialog',
      /\bwould you like to (?:run|make|grant|allow|apply)\b|\btell codex what to do differently\b/i,
      waiting('permission'),
    ),
    rule('update', 'dialog', /\bupdate (?:available|now)\b/i, waiting('dialog')),
    // Notes to an answer are written in what looks like its composer.
    rule('notes', 'footer', /\besc to clear notes\b/i, waiting('question')),
    rule('spinner', 'activity', /^[•◦▌] .{1,80}\(\d[\dhms ]*\s*• esc to interrupt\)/iu, working()),
    ...besideRules,
    rule('title-asks', 'title', /^\[ [.!] \] Action Required/u, waiting('dialog')),
    rule('title-works', 'title', /^[\u2800-\u28ff]/u, working()),
    rule('resting title', 'title', /\S/, atComposer(), { unless: /^(?:[\u2800-\u28ff]|\[ )/u }),
    // Of a turn before, where a row of the next one stands below it.
    rule('turn-over', 'end', turnOver, atComposer(), { unless: notTurnOver, confidence: 0.8 }),
    rule('interrupted', 'end', /^■ (?:\w+ )?interrupted\b/u, atComposer('interrupt'), { confidence: 0.8 }),
    rule('error', 'end', /^■ /u, atComposer('error'), { confidence: 0.8 }),
    rule('fresh', 'recent', banner, atComposer(), { unless: written, confidence: 0.7 }),
  ],
}

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
 * A thread's id is a UUID of version 7: its first 48 bits are its time of creation. Codex' app-server runs the threads of
 * several terminals in one process. This time, compared with a terminal's start, assigns a thread to its terminal.
 */
const uuid7 = /([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** The creation time in a thread's id, or in the name of its rollout, ms since the epoch. */
function threadStart(text: string): number | undefined {
  const [, high, low] = uuid7.exec(text) ?? []
  return high === undefined ? undefined : Number.parseInt(`${high}${low}`, 16)
}

export const codex: HookedAgent = {
  name: 'codex',
  title: 'Codex',
  process: commandLines.codex,
  files: {
    transcripts: ['.codex/sessions/**/rollout-*.jsonl'],
    moved: { variable: 'CODEX_HOME', folder: '.codex' },
    // It makes its thread within about a second of its start (measured); a machine under load takes longer.
    sessionStart: { read: threadStart, before: 2000, after: 10_000 },
  },
  inherited: { variable: 'CODEX_SESSION_ID', holds: 'session' },
  readHook: ownSession(apartSubagents(readHook)),
  readLine,
  readOsc,
  paneTitle: /^(?:[\u2800-\u28ff]|\[ [.!] \] Action Required)/u,
  readRow,
  headless: {
    rows: ['--json', '--experimental-json'],
    begins: { type: /^thread\.started$/, thread_id: /./ },
  },
  screens,
  hooks: hookPlanOf.codex,
  skills: {
    user: { path: '.codex/skills', moved: { variable: 'CODEX_HOME', folder: '.codex' } },
    project: '.codex/skills',
  },
  mcp: mcpPlan,
}
