/** What the history stores of a session: each state that it reached. Pure. */
import { defined } from '../../core/defined.ts'
import { heldSince } from '../../core/explain/explain.ts'
import type { Health, State } from '../../core/state.ts'
import { oneLine } from '../../core/text/printable.ts'
import { isRecord } from '../../core/trace/trace.ts'
import type { Entry, StoredEntry } from '../../history/entry.ts'
import { shapedFields } from '../../shapes/wire.ts'
import { hasCrashed, isEndTold } from '../crashed.ts'
import type { LiveSession } from '../session-source.ts'
import { endOfTurn, isInBackground, ownWordsOf } from '../turn-end.ts'

/** The kind of such an entry. */
export const stateKind = 'session.state'

/** The field and its value in the last entry of a session that has ended. */
export const exited = ['$.state', 'exited'] as const satisfies readonly [string, State['kind']]

/** A state that a session came to. The fields are named as `lull ps --json` names them. */
export type PastState = {
  readonly name?: string
  readonly pid?: number
  readonly pane?: string
  readonly place?: string
  /** The name of its tmux window. */
  readonly window?: string
  readonly terminal?: string
  /** What the agent calls its session, and the first words of its last prompt. */
  readonly title?: string
  readonly prompt?: string
  /** The other user that owns it. */
  readonly owner?: string
  readonly state: State['kind']
  readonly for?: string
  /** `background`: the turn is over, and something of it goes on. What it does within a turn is not stored. */
  readonly doing?: 'background'
  /** How the turn before this idleness ended. */
  readonly after?: string
  /** Of what has exited. */
  readonly code?: number
  readonly signal?: string
  /** It did not end of itself, as far as anybody can tell. */
  readonly crashed?: true
  /** It ended while no host looked: what is known of that. */
  readonly lost?: string
  readonly health?: Health['level']
  readonly turn: number
  readonly turnOver?: true
  /** What it asks; the error's own words; the end of its last message; what is known besides. */
  readonly question?: string
  readonly error?: string
  readonly message?: string
  readonly note?: string
  /** Dollars, as the agent counts them. */
  readonly cost?: number
  /** Not a new state: adds the texts of the entry before it, which arrived later. */
  readonly isMore?: true
}

const longest = 500

/** The entry of what it does now. `epoch`: ms since the epoch at the monotonic 0. */
export function entryOf(live: LiveSession, now: number, epoch: number): Entry {
  const { id: session, agent, cwd, isSinceLook } = live
  // Since when is not known of what was so at the first look.
  const at = epoch + (isSinceLook ? now : Math.min(now, heldSince(live.session.verdict)))
  return {
    at,
    kind: stateKind,
    session,
    agent,
    ...(cwd === undefined ? {} : { cwd }),
    data: pastOf(live),
  }
}

function pastOf(live: LiveSession): PastState {
  const { name, pid, pane, place, window, terminal, title, note, owner, session } = live
  const { verdict, facts } = session
  const { state, health, turn, turnOver } = verdict
  const end = endOfTurn(session)
  const { cost, prompt } = facts
  const texts = Object.entries({ title, prompt, ...ownWordsOf(session), note }).filter(([, text]) => text)
  return {
    pid,
    ...defined({ name, pane, place, window, terminal, owner }),
    state: state.kind,
    ...(isInBackground(session) ? { doing: 'background' as const } : {}),
    ...(state.kind === 'waiting' ? { for: state.for } : {}),
    ...(state.kind === 'idle' && end !== undefined ? { after: end } : {}),
    ...(state.kind === 'exited' && state.code !== undefined ? { code: state.code } : {}),
    ...(state.kind === 'exited' && state.signal !== undefined ? { signal: state.signal } : {}),
    ...(state.kind === 'exited' && hasDied(live) ? { crashed: true as const } : {}),
    ...(isDoubtful(health.level) ? { health: health.level } : {}),
    turn,
    ...(turnOver ? { turnOver: true as const } : {}),
    ...Object.fromEntries(texts.map(([field, text]) => [field, oneLine(text ?? '', longest)])),
    ...(cost === undefined ? {} : { cost }),
  }
}

/**
 * An agent that vanishes at rest loses nothing: whether it was killed or its window closed, no source reports. In the midst of a
 * turn, or by its code or signal, it has died; where no hook would have told that a person ended it, too.
 */
function hasDied(live: LiveSession): boolean {
  const { verdict, before, lanes, turns } = live.session
  const { state } = verdict
  const isKnown = state.kind === 'exited' && (state.code !== undefined || state.signal !== undefined)
  if (isKnown) return hasCrashed(live)
  const told = lanes.main?.news.state.kind
  if (told === 'idle' || told === 'exited') return false
  const { kind } = before.state
  const isInTurn = kind === 'working' || (kind === 'waiting' && turns.open !== undefined)
  return hasCrashed(live) || (!isEndTold(live) && isInTurn)
}

const isDoubtful = (level: Health['level']): boolean =>
  level === 'likely_stuck' || level === 'confirmed_stuck'

/** Equal states make one entry: neither activity within a turn nor a repeated report makes another. */
export const isSamePast = (a: PastState, b: PastState): boolean =>
  a.state === b.state &&
  a.for === b.for &&
  a.doing === b.doing &&
  a.after === b.after &&
  a.health === b.health

const words = ['question', 'error', 'message'] as const

/** Keeps the texts that an earlier report of the same state had. */
export const withWordsOf = (before: PastState, past: PastState): PastState => ({
  ...defined(Object.fromEntries(words.map(word => [word, before[word]]))),
  ...past,
})

/** One source reports the state, another its question a moment later. */
export const hasMoreWords = (before: PastState, past: PastState): boolean =>
  words.some(word => before[word] === undefined && past[word] !== undefined)

/** Each state once, in the words that were known of it at last. @param entries the oldest first */
export function inFull(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  const full: StoredEntry[] = []
  const newest = new Map<string, number>()
  for (const entry of entries) {
    const { session = '' } = entry
    const past = readPast(entry)
    const before = newest.get(session)
    if (past && before !== undefined && past.isMore) {
      full[before] = { ...(full[before] as StoredEntry), data: withoutMark(past) }
      continue
    }
    if (past) newest.set(session, full.length)
    full.push(past ? { ...entry, data: withoutMark(past) } : entry)
  }
  return full
}

const withoutMark = ({ isMore: _, ...past }: PastState): PastState => past

/**
 * The state that an entry keeps, without fields of another type than lull writes; undefined where the entry is of another
 * kind or keeps no state.
 */
export function readPast({ kind, data }: StoredEntry): PastState | undefined {
  if (kind !== stateKind || !isRecord(data)) return undefined
  const { state, turn = 0, ...kept } = shapedFields('pastState', data)
  return state === undefined ? undefined : { ...kept, state, turn }
}
