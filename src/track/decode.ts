/**
 * From raw input to signals: finds the agent's reader for each event of a trace, keeps what the readers remember, and
 * places other programs' stamps on the session's time line.
 */

import type { Agent, Memory, Moment, Reading } from '../agents/kit/agent.ts'
import { matchesGlob } from '../agents/kit/agent-files.ts'
import type { Osc, OscRest } from '../agents/kit/osc.ts'
import { progressOf, scanOsc } from '../agents/kit/osc.ts'
import type { Exit, Signal } from '../core/evidence/signal.ts'
import { oneLine } from '../core/explain/explain.ts'
import type { Instant } from '../core/state.ts'
import { parseStamp } from '../core/trace/time-stamp.ts'
import { isRecord, parseJson, type TraceEvent } from '../core/trace/trace.ts'
import { readReport } from '../process/health-report.ts'
import { keyPressed, noPaint, type Paint, painted } from '../terminal/paint.ts'

export type Decoder = {
  /** None for any other command: its processes and its terminal tell of it. */
  readonly agent: Agent | undefined
  /** ms since the epoch at the session's instant 0, as well as it is known; none where no wall time is known. */
  readonly epoch?: number
  readonly memories: Readonly<Record<string, Memory>>
  readonly osc: OscRest
  readonly paint: Paint
}

export type Decoded = {
  readonly decoder: Decoder
  readonly signals: readonly Signal[]
  readonly refused?: string
}

export const newDecoder = (agent: Agent | undefined, epoch?: number): Decoder => ({
  agent,
  memories: {},
  osc: '',
  paint: noPaint,
  ...(epoch === undefined ? {} : { epoch }),
})

/** Reads one event of a trace. Codes that hold no evidence (`v`, `r`, `m`) give no signals. */
export function decode(decoder: Decoder, event: TraceEvent): Decoded {
  switch (event.code) {
    case 'o':
      return decodeOutput(decoder, event)
    case 'i': {
      const { paint, sign } = keyPressed(decoder.paint, event.data, event.at)
      return { decoder: { ...decoder, paint }, signals: sign ? [sign] : [] }
    }
    case 'h':
      return decodeHook(decoder, event)
    case 't':
      return decodeLine(decoder, event)
    case 'f':
      return decodeStatus(decoder, event)
    case 'p':
      return decodeProcess(decoder, event)
    case 'x':
      return decodeExit(decoder, event)
    default:
      return { decoder, signals: [] }
  }
}

/** Reads a row of a headless run's stdout. */
export function decodeRow(decoder: Decoder, line: string, at: Instant): Decoded {
  const { agent } = decoder
  if (!agent) return { decoder, signals: [] }
  return apply(decoder, 'rows', at, (moment, memory) => agent.readRow(line, moment, memory))
}

function decodeHook(decoder: Decoder, { data, at }: TraceEvent): Decoded {
  const row = parseJson(data)
  if (!isRecord(row) || typeof row.event !== 'string') return refused(decoder, 'a hook without an event')
  const { event, payload, agent } = row
  const { agent: own } = decoder
  if (!own || (typeof agent === 'string' && agent !== own.name)) {
    const whose = typeof agent === 'string' ? agent.slice(0, 40) : 'an agent'
    return refused(decoder, `a hook of ${whose} in a session of ${own?.name ?? 'a command'}`)
  }
  const via = typeof row.via === 'string' ? row.via : undefined
  const input = { event: event.slice(0, 100), payload, ...(via === undefined ? {} : { via }) }
  const memory = via === 'sse' ? 'hook:sse' : 'hook'
  return apply(decoder, memory, at, (moment, m) => own.readHook(input, moment, m))
}

function decodeLine(decoder: Decoder, { data, at }: TraceEvent): Decoded {
  const row = parseJson(data)
  if (!isRecord(row) || typeof row.line !== 'string')
    return refused(decoder, 'a transcript event without a line')
  const { agent } = decoder
  if (!agent) return refused(decoder, 'a transcript line in a session of a command')
  const input = { path: typeof row.path === 'string' ? row.path : '', line: row.line }
  return apply(decoder, 'transcript', at, (moment, memory) => agent.readLine(input, moment, memory))
}

function decodeStatus(decoder: Decoder, { data, at }: TraceEvent): Decoded {
  const row = parseJson(data)
  if (!isRecord(row) || typeof row.path !== 'string') return refused(decoder, 'a status event without a path')
  const { path, content } = row
  const { readStatus, files } = decoder.agent ?? {}
  if (!readStatus || !files?.status || !matchesGlob(files.status, path)) return { decoder, signals: [] }
  if (typeof content !== 'string' && content !== null) return { decoder, signals: [] }
  return apply(decoder, 'status', at, (moment, memory) => readStatus({ path, content }, moment, memory))
}

function decodeOutput(decoder: Decoder, { data, at }: TraceEvent): Decoded {
  const { found, rest } = scanOsc(decoder.osc, data)
  const { paint, sign } = painted(decoder.paint, at)
  let next: Decoder = { ...decoder, osc: rest, paint }
  const signals: Signal[] = []
  const readOsc = decoder.agent?.readOsc
  for (const osc of found) {
    const notice = noticeOf(osc)
    if (notice !== undefined) signals.push({ type: 'facts', facts: { notice }, at })
    const decoded = apply(
      next,
      'osc',
      at,
      (moment, memory) => readOsc?.(osc, moment, memory) ?? { signals: [] },
    )
    next = decoded.decoder
    signals.push(...decoded.signals)
  }
  return { decoder: next, signals: sign ? [...signals, sign] : signals }
}

function noticeOf(osc: Osc): string | undefined {
  const { code, text } = osc
  if (code === 777 && text.startsWith('notify;')) return text.slice(7, 507)
  return code === 9 && progressOf(osc) === undefined ? text.slice(0, 500) : undefined
}

function decodeProcess(decoder: Decoder, { data, at }: TraceEvent): Decoded {
  const signals = readReport(data, at, decoder.agent === undefined)
  return typeof signals === 'string' ? refused(decoder, signals) : { decoder, signals }
}

function decodeExit(decoder: Decoder, { data, at }: TraceEvent): Decoded {
  const row = parseJson(data)
  if (!isRecord(row)) return refused(decoder, 'an exit that is not an object')
  const { code, signal } = row
  const exit: Exit = {
    type: 'exit',
    source: 'process',
    what: typeof row.cause === 'string' ? oneLine(row.cause, 100) : 'the process is gone',
    ...(typeof code === 'number' ? { code } : {}),
    ...(typeof signal === 'string' ? { signal: oneLine(signal, 20) } : {}),
    at,
  }
  return { decoder, signals: [exit] }
}

const refused = (decoder: Decoder, reason: string): Decoded => ({ decoder, signals: [], refused: reason })

/** A header's time is whole seconds and noted at the start; a stamp further ahead than this is nonsense. */
const mostAheadMs = 5000

function apply(
  decoder: Decoder,
  source: string,
  seen: Instant,
  reader: (moment: Moment, memory: Memory) => Reading,
): Decoded {
  const memory = decoder.memories[source] ?? {}
  const { epoch } = decoder
  let ahead = 0
  const moment: Moment = {
    seen,
    stamp: value => {
      const ms = epoch === undefined ? undefined : parseStamp(value)
      if (ms === undefined || epoch === undefined) return seen
      if (ms - epoch - seen > mostAheadMs) return seen
      ahead = Math.max(ahead, ms - epoch - seen)
      return Math.min(seen, ms - epoch)
    },
    until: value => {
      const ms = parseStamp(value)
      return ms === undefined || epoch === undefined ? seen : Math.max(seen, ms - epoch)
    },
  }
  const reading = reader(moment, memory)
  // Nothing is seen before it happens: a stamp ahead of its sight shows that the recording began later than noted.
  const learnt = epoch !== undefined && ahead > 0 ? { epoch: epoch + ahead } : {}
  const memories = reading.memory ? { ...decoder.memories, [source]: reading.memory } : decoder.memories
  const next: Decoder = { ...decoder, ...learnt, memories }
  return {
    decoder: next,
    signals: reading.signals,
    ...(reading.refused === undefined ? {} : { refused: reading.refused }),
  }
}
