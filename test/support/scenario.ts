/** Scenarios as a person writes them: what was heard when, and what is to be said at which second. */

import type { AgentName } from '../../src/agents/agent-names.ts'
import { agents } from '../../src/agents/registry.ts'
import { advance, startedSession } from '../../src/core/advance.ts'
import { describeState } from '../../src/core/explain/explain.ts'
import type { Verdict } from '../../src/core/judge/verdict.ts'
import { newSession, type Session } from '../../src/core/session.ts'
import type { TraceCode, TraceEvent } from '../../src/core/trace/trace.ts'
import { decodeRow, newDecoder } from '../../src/track/decode.ts'
import { replayEvents } from '../../src/track/replay.ts'

/** 2026-11-21T21:00:00Z: stamps in scenarios are `stamp(seconds)`. */
const epoch = 1_795_294_800_000

export const stamp = (seconds: number): string => {
  const ms = Math.round(seconds * 1000)
  return `2026-11-21T21:${String(Math.floor(ms / 60_000)).padStart(2, '0')}:${String(Math.floor((ms % 60_000) / 1000)).padStart(2, '0')}.${String(ms % 1000).padStart(3, '0')}Z`
}
export const epochMs = (seconds: number): number => epoch + seconds * 1000

export type Row = readonly [seconds: number, code: TraceCode, data: unknown]

export const hook = (t: number, event: string, payload: object = {}, via?: string): Row => [
  t,
  'h',
  { event, payload, ...(via ? { via } : {}) },
]
export const line = (t: number, row: object | string, path = 'transcript.jsonl'): Row => [
  t,
  't',
  { path, line: typeof row === 'string' ? row : JSON.stringify(row) },
]
export const claudeStatus = (t: number, status: string, waitingFor?: string): Row => [
  t,
  'f',
  {
    path: '/home/dev/.claude/sessions/7.json',
    content: JSON.stringify({ pid: 7, procStart: '1', status, waitingFor, statusUpdatedAt: epochMs(t) }),
  },
]
export const output = (t: number, text: string): Row => [t, 'o', text]
export const title = (t: number, text: string): Row => output(t, `\u001b]0;${text}\u0007`)
export const status7501 = (t: number, fields: string): Row => output(t, `\u001b]7501;${fields}\u001b\\`)
export const keys = (t: number, text: string): Row => [t, 'i', text]
export const exit = (t: number): Row => [t, 'x', { cause: 'kill -9', signal: 'SIGKILL', code: null }]

/** The state after each row of a headless run: one comes a second. */
export function headless(agent: AgentName, ...rows: readonly object[]): string[] {
  let decoder = newDecoder(agents[agent])
  let session = startedSession(0)
  return rows.map((row, n) => {
    const at = (n + 1) * 1000
    const decoded = decodeRow(decoder, JSON.stringify(row), at)
    decoder = decoded.decoder
    for (const signal of decoded.signals) session = advance(session, at, signal)
    return describeState(session.verdict.state)
  })
}

export type Told = {
  /** The verdict at a second, as `working/tool`. */
  at(seconds: number): string
  verdict(seconds: number): Verdict
  /** Every state that was told, one after the other. */
  readonly path: readonly string[]
  readonly refused: readonly string[]
  readonly session: Session
}

/** Plays rows to an agent's readers. A scenario begins with a known start of the process unless it is attached to. */
export function play(
  agent: AgentName,
  rows: readonly Row[],
  options: { attached?: boolean; until?: number } = {},
): Told {
  const events = rows
    .map(
      ([t, code, data], n): TraceEvent => ({
        at: Math.round(t * 1000),
        line: n + 2,
        code,
        data: code === 'o' || code === 'i' ? String(data) : JSON.stringify(data),
      }),
    )
    .sort((a, b) => a.at - b.at)
  const refused: string[] = []
  const start = options.attached ? newSession(0) : startedSession(0)
  const until = (options.until ?? 3600) * 1000
  const changes = replayEvents(
    events,
    newDecoder(agents[agent], epoch, options.attached ? {} : { startedAt: epoch }),
    start,
    {
      until,
      complain: ({ reason }) => refused.push(reason),
    },
  )
  const told: { at: number; verdict: Verdict }[] = []
  for (;;) {
    const next = changes.next()
    if (next.done) return finished(told, refused, next.value)
    told.push({ at: next.value.at, verdict: next.value.verdict })
  }
}

function finished(
  told: readonly { at: number; verdict: Verdict }[],
  refused: string[],
  session: Session,
): Told {
  const verdict = (seconds: number) => {
    const last = told.findLast(change => change.at <= seconds * 1000)
    if (!last) throw new Error(`nothing was told by ${seconds} s`)
    return last.verdict
  }
  const path = told.map(change => describeState(change.verdict.state))
  return {
    at: seconds => describeState(verdict(seconds).state),
    verdict,
    path: path.filter((state, n) => state !== path[n - 1]),
    refused,
    session: advance(session, session.now),
  }
}
