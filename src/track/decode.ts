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
import type { TraceEvent } from '../core/trace/trace.ts'
import { readReport } from '../process/health-report.ts'
import { keyPressed, noPaint, type Paint, painted } from '../terminal/paint.ts'
import { parseInput, type RawInput } from './raw-input.ts'

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
  const input = parseInput(event)
  if (input === undefined) return { decoder, signals: [] }
  return 'reason' in input ? refused(decoder, input.reason) : decodeInput(decoder, input, event.at)
}

/** Reads one raw input. */
export function decodeInput(decoder: Decoder, input: RawInput, at: Instant): Decoded {
  switch (input.type) {
    case 'output':
      return decodeOutput(decoder, input.data, at)
    case 'key': {
      const { paint, sign } = keyPressed(decoder.paint, input.data, at)
      return { decoder: { ...decoder, paint }, signals: sign ? [sign] : [] }
    }
    case 'hook':
      return decodeHook(decoder, input, at)
    case 'line':
      return decodeLine(decoder, input, at)
    case 'status':
      return decodeStatus(decoder, input, at)
    case 'report': {
      const signals = readReport(input.data, at, decoder.agent === undefined)
      return typeof signals === 'string' ? refused(decoder, signals) : { decoder, signals }
    }
    case 'exit':
      return { decoder, signals: [exitOf(input, at)] }
  }
}

/** Reads a row of a headless run's stdout. */
export function decodeRow(decoder: Decoder, line: string, at: Instant): Decoded {
  const { agent } = decoder
  if (!agent) return { decoder, signals: [] }
  return apply(decoder, 'rows', at, (moment, memory) => agent.readRow(line, moment, memory))
}

type InputOf<Type extends RawInput['type']> = Extract<RawInput, { readonly type: Type }>

function decodeHook(decoder: Decoder, { agent, event, payload, via }: InputOf<'hook'>, at: Instant): Decoded {
  const { agent: own } = decoder
  if (!own || (agent !== undefined && agent !== own.name)) {
    const whose = agent === undefined ? 'an agent' : agent.slice(0, 40)
    return refused(decoder, `a hook of ${whose} in a session of ${own?.name ?? 'a command'}`)
  }
  const input = { event: event.slice(0, 100), payload, ...(via === undefined ? {} : { via }) }
  const memory = via === 'sse' ? 'hook:sse' : 'hook'
  return apply(decoder, memory, at, (moment, m) => own.readHook(input, moment, m))
}

function decodeLine(decoder: Decoder, input: InputOf<'line'>, at: Instant): Decoded {
  const { agent } = decoder
  if (!agent) return refused(decoder, 'a transcript line in a session of a command')
  return apply(decoder, 'transcript', at, (moment, memory) => agent.readLine(input, moment, memory))
}

function decodeStatus(decoder: Decoder, input: InputOf<'status'>, at: Instant): Decoded {
  const { readStatus, files } = decoder.agent ?? {}
  if (!readStatus || !files?.status || !matchesGlob(files.status, input.path)) return { decoder, signals: [] }
  return apply(decoder, 'status', at, (moment, memory) => readStatus(input, moment, memory))
}

function decodeOutput(decoder: Decoder, data: string, at: Instant): Decoded {
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

const exitOf = ({ cause, code, signal }: InputOf<'exit'>, at: Instant): Exit => ({
  type: 'exit',
  source: 'process',
  what: cause === undefined ? 'the process is gone' : oneLine(cause, 100),
  ...(code === undefined ? {} : { code }),
  ...(signal === undefined ? {} : { signal: oneLine(signal, 20) }),
  at,
})

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
