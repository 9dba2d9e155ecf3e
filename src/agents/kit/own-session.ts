/**
 * Hooks are set for a folder or a person, not for a process: a `claude -p` that a turn runs as its tool reports to the
 * same place under an id of its own. Its news are not the session's.
 */
import type { FactSignal, Lane, LanePattern, News, Signal } from '../../core/evidence/signal.ts'
import type { Instant } from '../../core/state.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { type HookInput, type Memory, type Moment, nothing, type Reader, type Reading } from './agent.ts'
import { originOf } from './hook-payload.ts'

/** The subagent that a payload names as its sender. */
function subagentOf(payload: unknown): string | undefined {
  const id = isRecord(payload) ? payload.agent_id : undefined
  return typeof id === 'string' && id !== '' ? id.slice(0, 100).replaceAll('*', '_') : undefined
}

/**
 * A reader that separates a subagent's hooks under its parent's id: the dialogs are the session's, the rest is not the
 * session's turn. The wrapped reader handles the subagent's own start and end.
 */
export const apartSubagents =
  (readHook: Reader<HookInput>): Reader<HookInput> =>
  (input, moment, memory) => {
    const reading = readHook(input, moment, memory)
    const id = /^subagent/i.test(input.event) ? undefined : subagentOf(input.payload)
    return id === undefined ? reading : { ...reading, signals: ofSubagent(reading.signals, id), memory }
  }

/** What is left of signals that were read as the main turn's, where a subagent gave them. */
export function ofSubagent(signals: readonly Signal[], id: string): readonly Signal[] {
  const own = signals.flatMap(signal => (signal.type === 'news' ? ofOwner(signal, `ask:sub:${id}:`) : []))
  const asks = own.some(news => news.state.kind === 'waiting')
  return asks ? [...own, ...signals.flatMap(asked)] : own
}

/** Which tool the session runs is the one that began the subagent. */
function asked(signal: Signal): readonly FactSignal[] {
  if (signal.type !== 'facts') return []
  const { tool: _, about: __, ...facts } = signal.facts
  return [{ ...signal, facts }]
}

const main = /^ask:main:/

function ofOwner({ type, source, what, at, seen, ...news }: News, owner: string): News[] {
  const base = { type, source, what, at, seen }
  if (news.state.kind === 'waiting' && main.test(news.lane))
    return [{ ...base, state: news.state, lane: news.lane.replace(main, owner) as Lane }]
  const ends = (news.ends ?? [])
    .filter(lane => main.test(lane))
    .map(lane => lane.replace(main, owner) as LanePattern)
  return ends.length === 0 ? [] : [{ ...base, state: { kind: 'unknown' }, lane: 'main', ends }]
}

/** A reader of hooks that takes only those of the process' own session. */
export const ownSession =
  (readHook: Reader<HookInput>): Reader<HookInput> =>
  (input, moment, memory) => {
    const event = {
      id: originOf(input.payload).session,
      begins: /^session_?start$/i.test(input.event),
      ends: endsSession(input.event),
    }
    return ofOwn(event, moment, memory, () => readHook(input, moment, memory))
  }

/** A hook by which a session ends, whatever its agent calls it. */
export const endsSession = (event: string): boolean => /^session_?(end|shutdown)$/i.test(event)

type SessionEvent = { readonly id: string | undefined; readonly begins: boolean; readonly ends?: boolean }

/** Reads an input only where it belongs to the process' own session. */
export function ofOwn(
  event: SessionEvent,
  { seen: at }: Pick<Moment, 'seen'>,
  memory: Memory,
  read: () => Reading,
): Reading {
  const place = placeOf(event, memory)
  if (place === 'other')
    return { signals: [], memory: { ...memory, nested: withId(memory.nested, event.id as string) } }
  const reading = read()
  // Late news of a session that another one followed, unless it takes a prompt: then it was never left.
  if (place === 'earlier' && !startsTurn(reading)) return nothing
  const signals = goesOn(event, memory) ? [...wordless(at), ...reading.signals] : reading.signals
  return { ...reading, signals, memory: after(reading, memory, event) }
}

/** It had another session before. */
function goesOn({ id, ends = false }: SessionEvent, { session, earlier = [] }: Memory): boolean {
  const last = session ?? earlier.at(-1)
  return !ends && id !== undefined && last !== undefined && id !== last
}

/** A process that goes on in another session (`/clear`, `/new`) has no words of the last one. */
export const wordless = (at: Instant): readonly FactSignal[] => [
  { type: 'facts', facts: { prompt: '', finalMessage: '' }, at },
]

/** Whether a hook belongs to the process' own session. The memory comes from all hooks up to this one. */
export const isOwnHook = (payload: unknown, { nested = [] }: Memory = {}): boolean =>
  subagentOf(payload) === undefined && !nested.includes(originOf(payload).session ?? '')

/**
 * While a turn is open a process has one session: another id that speaks then is another process'. Once the turn or the
 * session is over, the process may go on with another session (`/clear`, `/resume`).
 */
function placeOf(
  { id, begins }: SessionEvent,
  { session, nested = [], earlier = [], isOpen = false }: Memory,
): 'own' | 'next' | 'earlier' | 'other' {
  if (id === undefined || id === session) return 'own'
  if (begins && !isOpen) return 'next'
  if (nested.includes(id)) return 'other'
  if (session === undefined) return 'next'
  if (earlier.includes(id)) return 'earlier'
  return isOpen ? 'other' : 'next'
}

const most = 8
const withId = (ids: readonly string[] = [], id: string): readonly string[] =>
  ids.includes(id) ? ids : [...ids.slice(1 - most), id]
const without = (ids: readonly string[] = [], id: string | undefined): readonly string[] =>
  ids.filter(one => one !== id)

const startsTurn = ({ signals }: Reading): boolean =>
  signals.some(signal => signal.type === 'news' && signal.starts)

/** The readers forget a turn when it ends. The ids of own and foreign sessions outlive it. */
function after(reading: Reading, old: Memory, { id, ends = false }: SessionEvent): Memory {
  const { session = id, earlier, isOpen = false } = old
  const now = id ?? session
  const followed = session === undefined || session === now ? earlier : withId(without(earlier, now), session)
  // One that was left and takes a prompt was never left: what seemed to follow it is another process'.
  const intruder = now !== undefined && earlier?.includes(now) && startsTurn(reading) ? session : undefined
  const nested = intruder === undefined ? without(old.nested, now) : withId(old.nested, intruder)
  return {
    ...(reading.memory ?? old),
    session: ends ? undefined : now,
    nested,
    earlier: ends && now !== undefined ? withId(followed, now) : (followed ?? []),
    isOpen: !ends && isOpenAfter(reading, isOpen),
  }
}

/** Whether a source's turn is open after this reading. */
export function isOpenAfter({ signals }: Reading, isOpen: boolean): boolean {
  let open = isOpen
  for (const signal of signals) {
    if (signal.type !== 'news' || signal.lane !== 'main' || signal.state.kind === 'unknown') continue
    open = signal.state.kind === 'working' || signal.state.kind === 'waiting'
  }
  return open
}

/**
 * Rows of which only the first names its session: one that begins within another's turn ends before it. Memory: `count`
 * are those that have begun so.
 * @param begins the id of the session that the row begins
 */
export function ofOutermost(
  { begins, ends }: { readonly begins: string | undefined; readonly ends: boolean },
  memory: Memory,
  read: () => Reading,
): Reading {
  const { session, count = 0, isOpen = false } = memory
  if (begins !== undefined && isOpen && begins !== session)
    return { signals: [], memory: { ...memory, count: count + 1 } }
  if (count > 0) return { signals: [], memory: { ...memory, count: ends ? count - 1 : count } }
  const reading = read()
  const known = begins ?? session
  return {
    ...reading,
    memory: {
      ...(reading.memory ?? memory),
      ...(known === undefined ? {} : { session: known }),
      isOpen: isOpenAfter(reading, isOpen),
    },
  }
}

/** The memory once a file's head showed whether a subagent writes it. The first head counts: a file may quote another's. */
export function ofFile(path: string, isSubagents: boolean, memory: Memory): Memory {
  const { nested = [], earlier = [] } = memory
  if (nested.includes(path) || earlier.includes(path)) return memory
  return isSubagents
    ? { ...memory, nested: withId(nested, path) }
    : { ...memory, earlier: withId(earlier, path) }
}
