/** An entry of the history as a line for people, or several where the terminal is narrow. */
import { describeState } from '../../core/explain/explain.ts'
import type { State } from '../../core/state.ts'
import { oneLine, printable } from '../../core/text/printable.ts'
import { isRecord } from '../../core/trace/trace.ts'
import type { StoredEntry } from '../../history/entry.ts'
import { readPastEvent } from '../../respawn/past-event.ts'
import { type PastState, readPast, stateKind } from '../../sessions/history/session-past.ts'
import { shortFolder } from '../../sessions/session-names.ts'
import { clockOf, shortAge } from './clock-words.ts'
import { type Column, eventRows } from './event-rows.ts'
import { pastRespawnWord } from './respawn-line.ts'

/** Not what a respawn only passes through. */
export const isShownPast = ({ kind }: StoredEntry): boolean =>
  kind !== 'respawn.phase' && kind !== 'respawn.sending'

/** How long each state lasted, ms; none of those that last. @param entries the oldest first */
export function lastedOf(entries: readonly StoredEntry[]): ReadonlyMap<StoredEntry, number> {
  const next = new Map<string, number>()
  const lasted = new Map<StoredEntry, number>()
  for (const entry of entries.toReversed()) {
    if (entry.kind !== stateKind || entry.session === undefined) continue
    const until = next.get(entry.session)
    if (until !== undefined) lasted.set(entry, until - entry.at)
    next.set(entry.session, entry.at)
  }
  return lasted
}

/** `respawn: sent step 12, cycle 10` and `notify: sent to phone` are. */
const whatWidth = 32

/** @param lasted how long it stayed so, ms; undefined where that is not over, or is no state */
export function pastLines(
  entry: StoredEntry,
  lasted: number | undefined,
  home: string,
  width: number,
): readonly string[] {
  const { at, session = '', agent = '', cwd } = entry
  const past = readPast(entry)
  const who = [
    agent,
    past?.name ?? past?.place ?? past?.terminal ?? '',
    cwd === undefined ? '' : shortFolder(cwd, home),
  ]
    .filter(Boolean)
    .join(' ')
  const { what, held, said } = wordsOf(entry, past, lasted)
  const columns: readonly Column[] = [
    [clockOf(at), 0],
    [printable(session.slice(0, 8)), 8],
    [printable(what), whatWidth],
    [held, 6],
    [oneLine(who, 48), 32],
  ]
  return eventRows(columns, oneLine(said, 160), width)
}

/** The same where everybody knows of whom. */
export function ownPastLine(entry: StoredEntry, lasted: number | undefined): string {
  const { what, held, said } = wordsOf(entry, readPast(entry), lasted)
  return printable(
    `${clockOf(entry.at)}  ${what.padEnd(whatWidth)}  ${held.padEnd(6)}${said && `  ${oneLine(said, 160)}`}`.trimEnd(),
  )
}

function wordsOf(entry: StoredEntry, past: PastState | undefined, lasted: number | undefined) {
  const held = lasted === undefined ? '' : shortAge(lasted)
  if (past) return { what: pastWords(past), held, said: saidIn(past) }
  return {
    what: eventWords(entry),
    held,
    said: [textIn(entry, 'title'), textIn(entry, 'why')].filter(Boolean).join(': '),
  }
}

/** `waiting/permission`, `idle, failed`, `ended by SIGKILL`. */
export function pastWords(past: PastState): string {
  const { state, after, health, crashed, code, signal, lost } = past
  if (lost !== undefined) return 'gone'
  if (state === 'exited') {
    const how = signal ?? (code === undefined ? '' : `code ${code}`)
    return crashed ? `died${how && ` (${how})`}` : `ended${how && ` (${how})`}`
  }
  const words =
    state === 'idle' && after !== undefined ? (ends.get(after) ?? state) : describeState(stateOf(past))
  return health === undefined ? words : `stuck (${words})`
}

const ends: ReadonlyMap<string, string> = new Map([
  ['turn', 'done'],
  ['interrupt', 'interrupted'],
  ['error', 'failed'],
  ['limit', 'limited'],
])

const stateOf = ({ state, for: waitsFor }: PastState): State =>
  (state === 'waiting' ? { kind: state, for: waitsFor ?? 'dialog' } : { kind: state }) as State

/** What it asked, the error's own words, its last message; else what is known besides: a run's command. */
export const saidIn = ({ question, error, message, lost, note }: PastState): string =>
  question ?? error ?? message ?? lost ?? note ?? ''

function eventWords(entry: StoredEntry): string {
  const past = readPastEvent(entry)
  const to = textIn(entry, 'to')
  if (!past) return `${entry.kind.replace('.', ': ')}${to && ` to ${to}`}`
  return `${past.isDry ? 'dry run' : 'respawn'}: ${pastRespawnWord(past)}`
}

function textIn({ data }: StoredEntry, field: string): string {
  const text = isRecord(data) ? data[field] : undefined
  return typeof text === 'string' ? text : ''
}
