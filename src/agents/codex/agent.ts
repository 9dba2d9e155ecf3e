import type { HookedAgent } from '../kit/agent.ts'
import { ownSession } from '../kit/own-session.ts'
import { apartSubagents } from '../kit/subagent.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { mcpPlan } from './mcp-plan.ts'
import { readOsc } from './osc.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'
import { readLine } from './transcript.ts'

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
