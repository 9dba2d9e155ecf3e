/** The history for people: an entry as a line, or several where the terminal is narrow; and the summary of `lull since`. */
import { describeState } from '../../core/explain/explain.ts'
import type { State } from '../../core/state.ts'
import { oneLine, printable } from '../../core/text/printable.ts'
import { isRecord } from '../../core/trace/trace.ts'
import type { StoredEntry } from '../../history/entry.ts'
import { readPastEvent } from '../../respawn/past-event.ts'
import { type PastState, readPast, stateKind } from '../../sessions/history/session-past.ts'
import type { OutcomeAway, SessionAway } from '../../sessions/history/while-away.ts'
import { shortFolder } from '../../sessions/session-names.ts'
import { type Column, eventRows } from './cells.ts'
import { clockOf, dayOf, shortAge } from './clock-words.ts'
import { pastRespawnWord } from './respawn-line.ts'

/**
 * `since 22:00: 1 waits since 02:14 for a permission (npm publish), 3 finished, 1 died`.
 * @param begin of the history, ms since the epoch; undefined where there is none, so that nothing is known
 */
export function awayHeadline(
  away: readonly SessionAway[],
  from: number,
  now: number,
  begin: number | undefined,
): string {
  const when = (at: number): string =>
    `${dayOf(at) === dayOf(now) ? '' : `${dayOf(at)} `}${clockOf(at).slice(0, 5)}`
  const since = `since ${when(from)}`
  if (begin === undefined) return `${since}: no history; a host stores it`
  const counted = outcomes.flatMap(([outcome, words]) => {
    const those = away.filter(one => countedAs(one) === outcome)
    return those.length === 0 ? [] : [`${those.length} ${words(those[0] as SessionAway, those.length)}`]
  })
  const before = begin > from ? `; no history before ${when(begin)}` : ''
  return printable(`${since}: ${counted.join(', ') || 'nothing happened'}${before}`)
}

/** As its row has it: nobody saw whether it was closed or killed, only that it is not there any more. */
const countedAs = ({ outcome, last }: SessionAway): OutcomeAway | 'gone' =>
  outcome === 'died' && last.lost !== undefined ? 'gone' : outcome

const outcomes: readonly (readonly [
  ReturnType<typeof countedAs>,
  (first: SessionAway, count: number) => string,
])[] = [
  [
    'waits',
    (first, count) => (count === 1 ? `waits since ${timeOf(first)}${askedBy(first)}` : 'wait for you'),
  ],
  ['stuck', (first, count) => (count === 1 ? `stuck since ${timeOf(first)}` : 'stuck')],
  ['died', (first, count) => (count === 1 ? `died at ${timeOf(first)}` : 'died')],
  ['gone', () => 'gone'],
  ['failed', () => 'failed'],
  ['limited', () => 'at a limit'],
  ['finished', () => 'finished'],
  ['works', (_, count) => (count === 1 ? 'works' : 'work')],
  ['ended', () => 'ended'],
  ['unknown', () => 'unknown by now'],
]

const timeOf = ({ since }: SessionAway): string => clockOf(since).slice(0, 5)

function askedBy({ last }: SessionAway): string {
  const text = textOf(last)
  return ` for a ${last.for ?? 'person'}${text && ` (${oneLine(text, 60)})`}`
}

export function awayLines(one: SessionAway, home: string, width: number): readonly string[] {
  const { session, agent, cwd, last, finished, failed, limited, waits, waited } = one
  const counts = [
    [finished, 'done'],
    [failed, 'failed'],
    [limited, 'at a limit'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, word]) => `${count} ${word}`)
  if (waits > 0) counts.push(`waited ${waits === 1 ? '' : `${waits} times, `}${shortAge(waited)}`)
  const folder = cwd === undefined ? '' : shortFolder(cwd, home)
  const who = [agent, last.name ?? last.place ?? last.terminal ?? '', folder].filter(Boolean).join(' ')
  const columns: readonly Column[] = [
    [timeOf(one), 0],
    [shownId(session), 8],
    [printable(one.outcome === 'unknown' ? `was ${pastWords(last)}` : pastWords(last)), 22],
    [oneLine(who, 40), 24],
    [counts.join(', '), 0],
  ]
  return eventRows(columns, oneLine(textOf(last), 120), width)
}

/** With its box. */
const shownId = (session: string): string => printable(session.replace(/^(.{8})[^@]*/, '$1'))

/** Without what a respawn or an action of the API only passes through: one that was begun and has no end stays. */
export function shownPast(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  const done = new Set(
    entries.flatMap(({ kind, run }) => (kind === 'api.done' || kind === 'api.refused' ? [run] : [])),
  )
  const isPassed = ({ kind, run }: StoredEntry): boolean =>
    kind === 'respawn.phase' || kind === 'respawn.sending' || (kind === 'api.begun' && done.has(run))
  return entries.filter(entry => !isPassed(entry))
}

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
  const { what, held, text } = wordsOf(entry, past, lasted)
  const columns: readonly Column[] = [
    [clockOf(at), 0],
    [shownId(session), 8],
    [printable(what), whatWidth],
    [held, 6],
    [oneLine(who, 48), 32],
  ]
  return eventRows(columns, oneLine(text, 160), width)
}

/** The same where everybody knows of whom. */
export function ownPastLine(entry: StoredEntry, lasted: number | undefined): string {
  const { what, held, text } = wordsOf(entry, readPast(entry), lasted)
  return printable(
    `${clockOf(entry.at)}  ${what.padEnd(whatWidth)}  ${held.padEnd(6)}${text && `  ${oneLine(text, 160)}`}`.trimEnd(),
  )
}

function wordsOf(entry: StoredEntry, past: PastState | undefined, lasted: number | undefined) {
  const held = lasted === undefined ? '' : shortAge(lasted)
  if (past) return { what: pastWords(past), held, text: textOf(past) }
  return {
    what: eventWords(entry),
    held,
    text: [textIn(entry, 'title'), textIn(entry, 'why')].filter(Boolean).join(': '),
  }
}

/** `waiting/permission`, `idle, failed`, `ended by SIGKILL`. */
function pastWords(past: PastState): string {
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

const stateOf = ({ state, for: waitsFor, doing }: PastState): State =>
  (state === 'waiting'
    ? { kind: state, for: waitsFor ?? 'dialog' }
    : { kind: state, ...(state === 'working' ? { doing } : {}) }) as State

/** What it asked, the error's own words, its last message; else what is known besides: a run's command. */
const textOf = ({ question, error, message, lost, note }: PastState): string =>
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
