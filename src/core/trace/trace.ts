/**
 * Traces: asciicast v2 with further event codes, read line by line. A line that can't be read is named and skipped;
 * the rest is judged.
 */

import { LullError } from '../lull-error.ts'
import { boundDepth, withoutCrowds } from './json-bounds.ts'

/** The trace format's version that this program writes and reads. */
export const traceVersion = 1

export type TraceHeader = {
  readonly agent?: string
  /** The program, where it is no agent that is known; `agent` is `command` then. */
  readonly cli?: string
  /** The agent is known by its person's own rules alone, which have read its screens already. */
  readonly isOwn?: boolean
  readonly agentVersion?: string
  readonly scenario?: string
  readonly note?: string
  readonly terminal?: string
  /** The session ran already when the recording began: its first lines tell of what was before. */
  readonly attached?: boolean
  /** The id that the session had in lull. */
  readonly session?: string
  /** Start of the recording, ms since the epoch, as exact as the header has it (often whole seconds). */
  readonly startedAt?: number
}

export type TraceCode = 'o' | 'i' | 'h' | 't' | 'f' | 'p' | 'r' | 'x' | 'v' | 'm'

/** One line of a trace. `at` is ms from its start; `data` is the line's string, unread. */
export type TraceEvent = {
  readonly line: number
  readonly at: number
  readonly code: TraceCode
  readonly data: string
}

/** Something in the input that was passed over, for people. */
export type Complaint = { readonly line: number; readonly reason: string }

const codes: ReadonlySet<string> = new Set(['o', 'i', 'h', 't', 'f', 'p', 'r', 'x', 'v', 'm'])
/** A longer line is not read: no recorded one exceeds 1 MB, and one line must not take the memory of a thousand. */
export const longestLine = 8 * 1024 * 1024
/** Seconds; a time beyond is a torn number, and one of them would put all that follows there. */
const longestTrace = 366 * 86_400

/**
 * Reads a trace's first line.
 * @throws {LullError} NOT_A_TRACE, FUTURE_VERSION where it is no asciicast v2 header, or one of a later version
 */
export function readHeader(text: string): TraceHeader {
  const header = parseJson(text)
  if (!isRecord(header) || header.version === undefined) {
    throw new LullError('NOT_A_TRACE', 'not a trace: its first line is no asciicast header ({"version":2,…})')
  }
  if (header.version !== 2) {
    throw new LullError(
      'FUTURE_VERSION',
      `asciicast version ${JSON.stringify(header.version)} can't be read: lull reads version 2`,
    )
  }
  const lull = isRecord(header.lull) ? header.lull : {}
  const version = lull.trace
  if (typeof version === 'number' && version > traceVersion) {
    throw new LullError(
      'FUTURE_VERSION',
      `trace version ${version} is newer than this lull, which reads version ${traceVersion}: update lull`,
    )
  }
  const timestamp = header.timestamp
  return {
    ...pick(lull, ['agent', 'cli', 'agentVersion', 'scenario', 'note', 'terminal', 'session']),
    ...(lull.isOwn === true ? { isOwn: true } : {}),
    ...(lull.attached === true ? { attached: true } : {}),
    ...(typeof timestamp === 'number' && Number.isFinite(timestamp) ? { startedAt: timestamp * 1000 } : {}),
  }
}

/** What one line after the header holds: an event, a complaint, or nothing (a blank line). */
export function readEvent(text: string, line: number): TraceEvent | Complaint | undefined {
  if (text.trim() === '') return undefined
  if (text.length > longestLine)
    return { line, reason: `longer than ${longestLine / 1024 / 1024} MB, passed over` }
  const row = parseJson(text)
  if (!Array.isArray(row)) return { line, reason: 'torn or not JSON, passed over' }
  const [seconds, code, data] = row as unknown[]
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= longestTrace) || typeof data !== 'string') {
    return { line, reason: 'not [seconds, code, string], passed over' }
  }
  if (typeof code !== 'string' || !codes.has(code)) {
    return { line, reason: `unknown code ${JSON.stringify(code)}, passed over` }
  }
  return { line, at: Math.round(seconds * 1000), code: code as TraceCode, data }
}

export const isComplaint = (x: TraceEvent | Complaint): x is Complaint => 'reason' in x

/** Parsed JSON, or undefined where it is none. What lies too deep in it, or has too many values, is left out. */
export function parseJson(text: string): unknown {
  try {
    const bounded = withoutCrowds(text)
    return boundDepth(JSON.parse(bounded), bounded)
  } catch {
    return undefined
  }
}

export const isRecord = (x: unknown): x is Record<string, unknown> =>
  typeof x === 'object' && x !== null && !Array.isArray(x)

function pick(from: Record<string, unknown>, names: readonly string[]): Record<string, string> {
  const out: Record<string, string> = {}
  for (const name of names) {
    const value = from[name]
    if (typeof value === 'string') out[name] = value.slice(0, 500)
  }
  return out
}
