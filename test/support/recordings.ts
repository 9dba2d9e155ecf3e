/** Recordings of real sessions: `claude-bash20` is corpus/claude/bash20, `own-…` lie in test/traces and have no truth. */

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { AgentName } from '../../src/agents/agent-names.ts'
import { describeState } from '../../src/core/explain/explain.ts'
import { parseStamp } from '../../src/core/trace/time-stamp.ts'
import type { Complaint } from '../../src/core/trace/trace.ts'
import { splitLines } from '../../src/os/file/lines.ts'
import { type ReplayOptions, replay } from '../../src/track/replay.ts'

export type Recorded = readonly [seconds: number, code: string, data: string]

const inCorpus = (name: string, end: string): URL =>
  new URL(`../../corpus/${name.replace('-', '/')}${end}`, import.meta.url)

export const recordingFile = (name: string): URL =>
  name.startsWith('own-') ? new URL(`../traces/${name}.cast.gz`, import.meta.url) : inCorpus(name, '.cast.gz')

/** The lines of a trace, its header first, without the empty one at its end. */
export const linesOf = (name: string): readonly string[] =>
  gunzipSync(readFileSync(recordingFile(name)))
    .toString('utf8')
    .trimEnd()
    .split('\n')

export const eventsOf = (name: string): readonly Recorded[] =>
  linesOf(name)
    .slice(1)
    .map(line => JSON.parse(line) as Recorded)

export const agentOf = (name: string): AgentName => name.split('-')[0] as AgentName

type Interval = {
  readonly from: number
  readonly to: number | null
  readonly state: string
  readonly grace?: number
}

type Truth = { readonly intervals: readonly Interval[]; readonly unsure: readonly Interval[] }

/**
 * What was really so, by the model server's log and the keys typed: samples a quarter of a second apart, seconds from
 * the trace's start, from the first work to the quit key, without the grace after each change.
 */
export function truthOf(name: string): readonly { t: number; state: string }[] {
  const { intervals, unsure } = JSON.parse(readFileSync(inCorpus(name, '.truth.json'), 'utf8')) as Truth
  const first = intervals.findIndex(interval => interval.state === 'working')
  return intervals.slice(first).flatMap(({ from, to, state, grace = 0 }) => {
    const begin = from + grace + 0.3
    const count = state === 'exited' ? 0 : Math.max(0, Math.floor(((to ?? 0) - 0.2 - begin) / 0.25))
    const times = Array.from({ length: count }, (_, i) => begin + i * 0.25)
    const sure = times.filter(t => !unsure.some(gap => t >= gap.from && t <= (gap.to ?? t)))
    return sure.map(t => ({ t, state }))
  })
}

/** ms since the epoch at a trace's instant 0. Its header tells whole seconds; no line was seen before its own stamp. */
export function startOf(name: string): number {
  const header = JSON.parse(linesOf(name)[0] as string) as { timestamp: number }
  const noted = header.timestamp * 1000
  const lates = eventsOf(name).flatMap(([seconds, code, data]) => {
    if (code !== 't') return []
    const row = parsed((JSON.parse(data) as { line: string }).line)
    const stamp = parseStamp(row.timestamp ?? row.time)
    return stamp === undefined ? [] : [stamp - noted - seconds * 1000]
  })
  return noted + Math.max(0, ...lates)
}

/** The lines of the session's own transcript: `t` seconds into the trace. */
export function transcriptOf(name: string): readonly { t: number; path: string; line: string }[] {
  const ofMain = /(projects|sessions|session-state|chats|logs|log)\/(?!.*subagents\/)/
  return eventsOf(name)
    .filter(([, code]) => code === 't')
    .map(([t, , data]) => ({ t, ...(JSON.parse(data) as { path: string; line: string }) }))
    .filter(({ path }) => ofMain.test(path))
}

function parsed(line: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(line)) as Record<string, unknown>
  } catch {
    return {}
  }
}

export type Judged = {
  /** `12.345 working/tool`: each change of the verdict. */
  readonly changes: readonly string[]
  readonly complaints: readonly Complaint[]
}

/** Judges a trace from its bytes or lines. */
export function judged(trace: Buffer | readonly string[], options: ReplayOptions = {}): Judged {
  const lines = Buffer.isBuffer(trace) ? [...splitLines([trace])].map(line => line.text) : trace
  const complaints: Complaint[] = []
  const changes = [...replay(lines, { ...options, complain: complaint => complaints.push(complaint) })]
  return {
    changes: changes.map(({ at, verdict }) => `${at / 1000} ${describeState(verdict.state)}`),
    complaints,
  }
}
