/**
 * From raw input to signals: finds the agent's reader for each event of a trace, keeps what the readers remember, and
 * places other programs' stamps on the session's time line.
 */

import type { Agent, Memory, Moment, Reading, StatusOrigin } from '../agents/kit/agent.ts'
import { matchesGlob, ownStamp } from '../agents/kit/agent-files.ts'
import type { Osc, OscRest } from '../agents/kit/osc.ts'
import { progressOf, scanOsc } from '../agents/kit/osc.ts'
import type { Exit, FactSignal, Signal } from '../core/evidence/signal.ts'
import type { Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import { parseStamp } from '../core/trace/time-stamp.ts'
import type { TraceEvent } from '../core/trace/trace.ts'
import { readReport } from '../process/health-report.ts'
import { keyPressed, noPaint, type Paint, painted } from '../terminal/paint.ts'
import { decodeScreen } from './decode-screen.ts'
import { type Asked, askedAfter, readSample } from './granted.ts'
import { parseInput, type RawInput } from './raw-input.ts'
import { type LogWriters, type ProcessOrigin, slackMs, tellWriters } from './writers.ts'

export type Decoder = {
  /** None for any other command: its processes and its terminal tell of it. */
  readonly agent: Agent | undefined
  /** ms since the epoch at the session's instant 0, as well as it is known; none where no wall time is known. */
  readonly epoch?: number
  readonly origin: ProcessOrigin
  /** Which process wrote which lines of its log, where several processes write one. */
  readonly writers?: LogWriters
  /** Files in which a line was read that was written since the process started. */
  readonly reached: readonly string[]
  readonly memories: Readonly<Record<string, Memory>>
  readonly osc: OscRest
  readonly paint: Paint
  /** What a person was last asked to allow. */
  readonly asked?: Asked | undefined
}

export type Decoded = {
  readonly decoder: Decoder
  readonly signals: readonly Signal[]
  readonly refused?: string
}

export const newDecoder = (
  agent: Agent | undefined,
  epoch?: number,
  origin: ProcessOrigin = {},
): Decoder => ({
  agent,
  origin,
  reached: [],
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
export const decodeInput = (decoder: Decoder, input: RawInput, at: Instant): Decoded =>
  withAsked(surviving(decoder, input.type, at, () => decodeKind(decoder, input, at)))

function withAsked(decoded: Decoded): Decoded {
  const { decoder, signals } = decoded
  const asked = askedAfter(decoder.asked, signals)
  return asked === decoder.asked ? decoded : { ...decoded, decoder: { ...decoder, asked } }
}

/** The one guard around all readers: an input that makes one fail counts for nothing, which is shown, and the rest goes on. */
function surviving(decoder: Decoder, what: Readable, at: Instant, read: () => Decoded): Decoded {
  try {
    return read()
  } catch (error) {
    const unread = degradedBy(names[what], error, at)
    return { decoder, signals: [unread], refused: `unreadable: ${unread.facts.degraded}` }
  }
}

type Readable = RawInput['type'] | 'row'

const names: Readonly<Record<Readable, string>> = {
  hook: 'hook',
  line: 'transcript',
  status: 'status file',
  title: 'title',
  screen: 'screen',
  'same screen': 'screen',
  exit: 'exit',
  output: 'terminal output',
  key: 'keys',
  report: 'process report',
  row: 'output row',
}

/** The process that wrote a status file, as far as the file can be read. */
export function originOfStatus(agent: Agent | undefined, content: string): StatusOrigin {
  try {
    return agent?.statusOrigin?.(content) ?? {}
  } catch {
    return {}
  }
}

/** Reports unreadable input: its source, and the reason. */
export function degradedBy(source: string, error: unknown, at: Instant): FactSignal {
  const why = oneLine(error instanceof Error ? error.message : typeof error, 120)
  return { type: 'facts', facts: { degraded: `${source} (${why})` }, at }
}

function decodeKind(decoder: Decoder, input: RawInput, at: Instant): Decoded {
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
      if (typeof signals === 'string') return refused(decoder, signals)
      return { decoder, signals: [...signals, ...readSample(decoder.asked, input.data, at)] }
    }
    case 'title':
      return decodeTitle(decoder, input, at)
    case 'screen':
    case 'same screen': {
      const { agent } = decoder
      if (!agent) return { decoder, signals: [] }
      return apply(decoder, 'screen', at, (moment, memory) => decodeScreen(agent, input, moment, memory))
    }
    case 'exit':
      return { decoder, signals: [exitOf(input, at)] }
  }
}

/** Reads a row of a headless run's stdout. */
export function decodeRow(decoder: Decoder, line: string, at: Instant): Decoded {
  const readRow = decoder.agent?.readRow
  if (!readRow) return { decoder, signals: [] }
  return surviving(decoder, 'row', at, () =>
    apply(decoder, 'rows', at, (moment, memory) => readRow(line, moment, memory)),
  )
}

type InputOf<Type extends RawInput['type']> = Extract<RawInput, { readonly type: Type }>

function decodeHook(decoder: Decoder, { agent, event, payload, via }: InputOf<'hook'>, at: Instant): Decoded {
  const { agent: own } = decoder
  if (!own || (agent !== undefined && agent !== own.name)) {
    const sender = agent === undefined ? 'an agent' : agent.slice(0, 40)
    return refused(decoder, `a hook of ${sender} in a session of ${own?.name ?? 'a command'}`)
  }
  const { readHook } = own
  if (!readHook) return refused(decoder, `a hook of ${own.name}, of which no hooks are known`)
  const input = { event: event.slice(0, 100), payload, ...(via === undefined ? {} : { via }) }
  const memory = via === 'sse' ? 'hook:sse' : 'hook'
  return apply(decoder, memory, at, (moment, m) => readHook(input, moment, m))
}

function decodeLine(decoder: Decoder, input: InputOf<'line'>, at: Instant): Decoded {
  const { agent } = decoder
  if (!agent) return refused(decoder, 'a transcript line in a session of a command')
  const { readLine } = agent
  if (!readLine) return refused(decoder, `a line of ${agent.name}, of which no transcripts are known`)
  const known = withWriters(decoder, [input.line])
  const writer = agent.files.writer?.read(input.line)
  if (writer !== undefined && writer !== known.writers?.own) return { decoder: known, signals: [] }
  const read = (from: Decoder) =>
    apply(from, 'transcript', at, (moment, memory) => readLine(input, moment, memory))
  if (known.reached.includes(input.path)) return read(known)
  if (!isPast(known, input.line))
    return read({ ...known, reached: [...known.reached.slice(-15), input.path] })
  // Of the turns of a process before it nothing is left but facts.
  const { signals, ...past } = read(known)
  return { ...past, decoder: known, signals: signals.filter(signal => signal.type === 'facts') }
}

/** Learns from lines which process wrote them, before they are read. */
export function withWriters(decoder: Decoder, lines: readonly string[]): Decoder {
  const { agent, origin, writers } = decoder
  if (!agent?.files.writer || writers?.own !== undefined) return decoder
  return { ...decoder, writers: tellWriters(agent, origin, lines, writers) }
}

/** Written before the process started. */
function isPast({ origin: { startedAt } }: Decoder, line: string): boolean {
  const stamp = startedAt === undefined ? undefined : ownStamp(line)
  return startedAt !== undefined && stamp !== undefined && stamp < startedAt - slackMs
}

function decodeStatus(decoder: Decoder, input: InputOf<'status'>, at: Instant): Decoded {
  const { readStatus, files } = decoder.agent ?? {}
  if (!readStatus || !files?.status || !matchesGlob(files.status, input.path)) return { decoder, signals: [] }
  return apply(decoder, 'status', at, (moment, memory) => readStatus(input, moment, memory))
}

/** A poller learns of a change later than a listener: by the longest time between two looks, and the second look. */
const lookMs = 1500

function decodeTitle(decoder: Decoder, { title }: InputOf<'title'>, at: Instant): Decoded {
  const readOsc = decoder.agent?.readOsc
  if (!readOsc) return { decoder, signals: [] }
  const decoded = apply(decoder, 'title', at, (moment, memory) =>
    readOsc({ code: 2, text: title }, moment, memory),
  )
  const late = (signal: Signal): Signal =>
    signal.type === 'sign' ? { ...signal, lag: signal.lag + lookMs } : signal
  return { ...decoded, signals: decoded.signals.map(late) }
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
