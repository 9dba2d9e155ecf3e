/** Judges a recording again, on the recording's own time: no clock runs, every due recheck is kept. */

import { isAgentName } from '../agents/agent-names.ts'
import type { Agent } from '../agents/kit/agent.ts'
import { isOwnName, ownAgent } from '../agents/own-agent.ts'
import { agents } from '../agents/registry.ts'
import { advance, startedSession } from '../core/advance.ts'
import { checkValues, is } from '../core/check-values.ts'
import type { Verdict } from '../core/judge/verdict.ts'
import { LullError } from '../core/lull-error.ts'
import { newSession, type Session } from '../core/session.ts'
import type { Instant } from '../core/state.ts'
import {
  type Complaint,
  isComplaint,
  isRecord,
  readEvent,
  readHeader,
  type TraceEvent,
  type TraceHeader,
} from '../core/trace/trace.ts'
import { type Decoder, decode, newDecoder } from './decode.ts'
import { fileAll, rechecks, sameClaim } from './track.ts'

/** A verdict that claims something else than the one before it. `at` is ms from the start. */
export type Change = { readonly at: Instant; readonly verdict: Verdict; readonly session: Session }

export type ReplayOptions = {
  /** Stop at this instant, ms from the start. */
  readonly until?: Instant
  /** The agent, where the header does not name it. */
  readonly agent?: Agent
  /** What counts as no change; a difference in the claim itself where not given. */
  readonly isSame?: (a: Verdict, b: Verdict) => boolean
  /** Called for each line that was passed over or refused; with its event, where it could be read as one. */
  readonly complain?: (complaint: Complaint, event?: TraceEvent) => void
}

/**
 * Replays a trace and yields each change of the verdict.
 * @param lines the trace's lines; the first is the header
 * @throws {LullError} NOT_A_TRACE, FUTURE_VERSION where the first line is no header of a known version; UNKNOWN_AGENT
 *   where it names no known agent
 */
export function* replay(lines: Iterable<string>, options: ReplayOptions = {}): Generator<Change, Session> {
  checkValues('replay', [lines, options], replayChecks)
  const rows = lines[Symbol.iterator]()
  const first = rows.next()
  const header = readHeader(first.done ? '' : first.value)
  const agent = options.agent ?? agentOf(header)
  const all = eventsOf(rows, options.complain)
  const events = agent || header.cli === undefined ? all : withoutLines(all)
  const ahead = take(events)
  const origin = header.attached || header.startedAt === undefined ? {} : { startedAt: header.startedAt }
  const decoder = { ...calibratedDecoder(agent, header.startedAt, ahead), origin }
  const session = header.attached ? newSession(0) : startedSession(0)
  return yield* replayEvents(chain(ahead, events), decoder, session, options)
}

const replayChecks = {
  lines: is.must(
    'the lines of a trace',
    value => Array.isArray(value) || (isRecord(value) && Symbol.iterator in value),
  ),
  options: is.options({ until: is.number, agent: is.record, isSame: is.callback, complain: is.callback }),
}

/** Headers often note whole seconds only; this many events tell how much later the recording began. */
const calibrationEvents = 2000
/** They are kept until they are judged: so many characters of them at the most, unless one alone is longer. */
const calibrationLength = 16 * 1024 * 1024

/** A decoder that knows the epoch at the trace's instant 0 from its first events: none was seen before its own stamp. */
export function calibratedDecoder(
  agent: Agent | undefined,
  startedAt: number | undefined,
  events: readonly TraceEvent[],
): Decoder {
  const first = newDecoder(agent, startedAt)
  const { epoch } = events
    .slice(0, calibrationEvents)
    .reduce((learnt, event) => decode(learnt, event).decoder, first)
  return newDecoder(agent, epoch)
}

function take(from: Iterator<TraceEvent>): TraceEvent[] {
  const taken: TraceEvent[] = []
  for (let length = 0; taken.length < calibrationEvents && length < calibrationLength; ) {
    const next = from.next()
    if (next.done) break
    taken.push(next.value)
    length += next.value.data.length
  }
  return taken
}

function* chain<T>(first: readonly T[], rest: Iterable<T>): Generator<T> {
  yield* first
  yield* rest
}

/** What `lull run` writes where its command is no agent that is known. */
export const commandName = 'command'

/** The agent that a trace's header names; none for a command, which is judged by its processes and its terminal. */
export function agentOf(header: TraceHeader): Agent | undefined {
  const name = header.agent ?? ''
  // It was recorded before it was known.
  if (name === commandName && header.cli !== undefined && isAgentName(header.cli)) return agents[header.cli]
  if (isAgentName(name)) return agents[name]
  if (name === commandName) return undefined
  if (header.isOwn === true && isOwnName(name)) return ownAgent(name)
  const named = name === '' ? 'no agent' : `an unknown agent ("${name.slice(0, 40)}")`
  throw new LullError(
    'UNKNOWN_AGENT',
    `the trace names ${named}: known are ${Object.keys(agents).join(', ')}`,
  )
}

/** Of a CLI that is not known, nobody reads the files. */
function* withoutLines(events: Iterable<TraceEvent>): Generator<TraceEvent> {
  for (const event of events) if (event.code !== 't') yield event
}

export function* eventsOf(
  rows: Iterator<string>,
  complain: ReplayOptions['complain'],
): Generator<TraceEvent> {
  let at = 0
  let line = 1
  for (let row = rows.next(); !row.done; row = rows.next()) {
    line++
    const event = readEvent(row.value, line)
    if (event === undefined) continue
    if (isComplaint(event)) {
      complain?.(event)
      continue
    }
    if (event.at < at) complain?.({ line, reason: 'its time runs back, judged at the time before it' })
    at = Math.max(at, event.at)
    yield { ...event, at }
  }
}

/** Judges events in the order of their time. */
export function* replayEvents(
  events: Iterable<TraceEvent>,
  start: Decoder,
  session: Session,
  { until = Infinity, isSame = sameClaim, complain }: ReplayOptions = {},
): Generator<Change, Session> {
  let state = session
  let shown: Verdict | undefined
  let decoder = start
  const changed = (): Change | undefined => {
    if (shown && isSame(shown, state.verdict)) return undefined
    shown = state.verdict
    return { at: state.now, verdict: state.verdict, session: state }
  }
  function* goOn(to: Instant): Generator<Change> {
    for (const at of rechecks(() => state, to)) {
      state = advance(state, at)
      const change = changed()
      if (change) yield change
    }
  }
  const initial = changed()
  if (initial) yield initial
  for (const event of events) {
    if (event.at > until) break
    yield* goOn(event.at)
    const decoded = decode(decoder, event)
    decoder = decoded.decoder
    if (decoded.refused !== undefined) complain?.({ line: event.line, reason: decoded.refused }, event)
    if (decoded.signals.length === 0) continue
    state = fileAll(state, event.at, decoded.signals)
    const change = changed()
    if (change) yield change
  }
  if (until < Infinity) {
    yield* goOn(until)
    state = advance(state, until)
  }
  const last = changed()
  if (last) yield last
  return state
}
