/** An entry of the history as a line for people. */
import { describeState } from '../../core/explain/explain.ts'
import type { State } from '../../core/state.ts'
import { oneLine, printable } from '../../core/text/printable.ts'
import { isRecord } from '../../core/trace/trace.ts'
import type { StoredEntry } from '../../history/entry.ts'
import type { TimedRespawnEvent } from '../../respawn/respawn-events.ts'
import { type PastState, readPast } from '../../sessions/history/session-past.ts'
import { shortFolder } from '../../sessions/session-names.ts'
import { respawnWord } from './respawn-line.ts'
import { shortAge } from './session-rows.ts'

/** Local time: the one that the person slept by. */
export const clockOf = (at: number): string => new Date(at).toTimeString().slice(0, 8)

export function dayOf(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** @param lasted how long it stayed so, ms; undefined where that is not over, or is no state */
export function pastLine(entry: StoredEntry, lasted: number | undefined, home: string): string {
  const { at, session = '', agent = '', cwd } = entry
  const past = readPast(entry)
  const who = [agent, past?.name ?? '', cwd === undefined ? '' : shortFolder(cwd, home)]
    .filter(Boolean)
    .join(' ')
  const held = lasted === undefined ? '' : shortAge(lasted)
  const [what, said] = past ? [pastWords(past), saidIn(past)] : [eventWords(entry), whyOf(entry)]
  return printable(
    `${clockOf(at)}  ${session.slice(0, 8).padEnd(8)}  ${what.padEnd(24)}  ${held.padEnd(6)}  ${oneLine(who, 48)}${said && `  ${oneLine(said, 160)}`}`.trimEnd(),
  )
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
    state === 'idle' && after !== undefined ? (ends[after] ?? state) : describeState(stateOf(past))
  return health === undefined ? words : `stuck (${words})`
}

const ends: Readonly<Record<string, string>> = {
  turn: 'done',
  interrupt: 'interrupted',
  error: 'failed',
  limit: 'limited',
}

const stateOf = ({ state, for: waitsFor }: PastState): State =>
  (state === 'waiting' ? { kind: state, for: waitsFor ?? 'dialog' } : { kind: state }) as State

/** What it asked, the error's own words, its last message. */
export const saidIn = ({ question, error, message, lost }: PastState): string =>
  question ?? error ?? message ?? lost ?? ''

const fieldsOf = ({ data }: StoredEntry): Readonly<Record<string, unknown>> => (isRecord(data) ? data : {})

function eventWords(entry: StoredEntry): string {
  const [room = '', type = ''] = entry.kind.split('.')
  if (room !== 'respawn') return entry.kind.replace('.', ': ')
  return `respawn: ${respawnWord({ why: '', ...fieldsOf(entry), type, time: entry.at } as TimedRespawnEvent)}`
}

const whyOf = (entry: StoredEntry): string => String(fieldsOf(entry).why ?? '')
