/** A bare transcript, with or without hooks and a record of its growth, as the events of a trace. */

import { ownStamp } from '../agents/kit/agent-files.ts'
import { LullError } from '../core/lull-error.ts'
import { parseStamp } from '../core/trace/time-stamp.ts'
import { type Complaint, isRecord, longestLine, parseJson, type TraceEvent } from '../core/trace/trace.ts'

export type TranscriptLine = { readonly text: string; readonly end: number }

export type Part = 'transcript' | 'hooks' | 'growth'

/** Called for each skipped line, with the part that it came from. */
export type TranscriptComplain = (complaint: Complaint, part: Part) => void

export type TranscriptInput = {
  readonly path: string
  readonly lines: Iterable<TranscriptLine>
  /** Rows `{t, event, payload?}`. */
  readonly hooks?: Iterable<TranscriptLine>
  /** Rows `{t, session, bytes}`: how much of the transcript was on disk when. */
  readonly growth?: Iterable<TranscriptLine>
}

/** `epoch` is ms since the epoch at instant 0; the events are in the order of their time. */
export type TranscriptEvents = { readonly epoch: number; readonly events: readonly TraceEvent[] }

type Timed = { readonly ms: number; readonly code: 'h' | 't'; readonly line: number; readonly data: string }

/**
 * Places every line at the time at which it could be seen: when the file had grown over it, else at its own stamp.
 * @throws {LullError} NOT_A_TRANSCRIPT where no line carries a time
 */
export function readTranscript(input: TranscriptInput, complain?: TranscriptComplain): TranscriptEvents {
  const lines = timeLines(input, complain)
  const start = lines.find(timed => !Number.isNaN(timed.ms))?.ms
  const hooks = [...timeHooks(input.hooks ?? [], start, complain)]
  const times = [...lines, ...hooks].map(timed => timed.ms)
  if (times.length === 0) throw new LullError('NOT_A_TRANSCRIPT', 'no line carries a time')
  const epoch = times.reduce((a, b) => Math.min(a, b))
  const events = [...lines, ...hooks]
    .sort((a, b) => a.ms - b.ms)
    .map(({ ms, code, line, data }) => ({ at: Math.round(ms - epoch), code, line, data }))
  return { epoch, events }
}

/** Lines that are not blank, each with its number in the file. */
function* filled(lines: Iterable<TranscriptLine>): Generator<TranscriptLine & { readonly number: number }> {
  let number = 0
  for (const line of lines) {
    number++
    if (line.text.trim() !== '') yield { ...line, number }
  }
}

function timeLines({ path, lines, growth }: TranscriptInput, complain?: TranscriptComplain): Timed[] {
  const grown = growth ? readGrowth(growth, path, complain) : undefined
  const timed: Timed[] = []
  const undated: Timed[] = []
  let last: number | undefined
  for (const { text, end, number } of filled(lines)) {
    if (text.length > longestLine) {
      complain?.(
        { line: number, reason: `longer than ${longestLine / 1024 / 1024} MB, passed over` },
        'transcript',
      )
      continue
    }
    const own = ownStamp(text)
    const seen = grown ? grown(end) : Math.max(own ?? Number.NaN, last ?? Number.NEGATIVE_INFINITY)
    if (seen === undefined) break
    const ms = Number.isNaN(seen) ? (last ?? Number.NaN) : seen
    const row: Timed = { ms, code: 't', line: number, data: JSON.stringify({ path, line: text }) }
    if (Number.isNaN(ms)) undated.push(row)
    else {
      last = ms
      timed.push(...undated.splice(0).map(early => ({ ...early, ms })), row)
    }
  }
  return timed
}

type Growth = { readonly ms: number; readonly session: unknown; readonly bytes: number }

/** The rows of this transcript, if the file has rows of several. */
function ownGrowth(all: readonly Growth[], path: string, complain?: TranscriptComplain): Growth[] {
  const own = all.filter(row => typeof row.session === 'string' && path.includes(row.session))
  const sessions = new Set(all.map(row => row.session))
  if (own.length > 0 || sessions.size <= 1) return own.length > 0 ? own : [...all]
  complain?.(
    { line: 1, reason: `growth of ${sessions.size} sessions, none of which the transcript's path names` },
    'growth',
  )
  return []
}

/** From a line's end to the time when the file had grown over it; undefined where it never had. */
function readGrowth(
  rows: Iterable<TranscriptLine>,
  path: string,
  complain?: TranscriptComplain,
): (end: number) => number | undefined {
  const all: Growth[] = []
  for (const { text, number } of filled(rows)) {
    const row = parseJson(text)
    const ms = isRecord(row) ? parseStamp(row.t) : undefined
    if (!isRecord(row) || ms === undefined || typeof row.bytes !== 'number') {
      complain?.({ line: number, reason: 'growth row is not {t, session, bytes}, passed over' }, 'growth')
      continue
    }
    all.push({ ms, session: row.session, bytes: row.bytes })
  }
  const used = ownGrowth(all, path, complain).sort((a, b) => a.ms - b.ms)
  let next = 0
  return end => {
    while (next < used.length && (used[next] as Growth).bytes < end) next++
    return used[next]?.ms
  }
}

function* timeHooks(
  rows: Iterable<TranscriptLine>,
  start: number | undefined,
  complain?: TranscriptComplain,
): Generator<Timed> {
  for (const { text, number } of filled(rows)) {
    const row = parseJson(text)
    const ms = isRecord(row) ? hookTime(row.t, start) : undefined
    if (!isRecord(row) || ms === undefined || typeof row.event !== 'string') {
      complain?.({ line: number, reason: 'hook row is not {t, event, payload?}, passed over' }, 'hooks')
      continue
    }
    yield {
      ms,
      code: 'h',
      line: number,
      data: JSON.stringify({ event: row.event, payload: row.payload, via: row.via }),
    }
  }
}

/** A wall time, or a small number: seconds from the transcript's start. */
function hookTime(t: unknown, start: number | undefined): number | undefined {
  const stamp = parseStamp(t)
  if (stamp !== undefined) return stamp
  return typeof t === 'number' && Number.isFinite(t) && t >= 0 ? (start ?? 0) + t * 1000 : undefined
}
