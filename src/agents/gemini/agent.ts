import { parseIso } from '../../core/trace/time-stamp.ts'
import type { HookedAgent } from '../kit/agent.ts'
import { ownSession } from '../kit/own-session.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { mcpPlan } from './mcp-plan.ts'
import { readOsc } from './osc.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'
import { readLine } from './transcript.ts'

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
