/** A transition of a session as a webhook gets it, made of two entries of the history. */
import { defined } from '../../core/defined.ts'
import { redact } from '../../core/redact/redact.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { StoredEntry } from '../../history/entry.ts'
import { type PastState, readPast } from '../../sessions/history/session-past.ts'

/** What makes a transition when it changes. */
type Standing = Pick<PastState, 'state' | 'for' | 'doing' | 'after' | 'health' | 'turn'>

export type SessionTransition = {
  /** The same in each attempt, and of no other transition. Letters, digits and hyphens. */
  readonly id: string
  /** ISO time. */
  readonly at: string
  /** null where the history has no earlier state of the session. */
  readonly from: Standing | null
  readonly to: Standing
  /** No new state: the session has the texts of the transition before, which arrived later. */
  readonly more?: true
  readonly session: TransitionSession
}

type TransitionSession = Standing &
  Pick<PastState, 'name' | 'pid' | 'code' | 'signal' | 'crashed' | 'lost'> & {
    readonly id: string
    readonly agent: string
    readonly cwd?: string
    readonly turnOver: boolean
    /** ISO time. */
    readonly since: string
    readonly question?: string
    readonly error?: string
    readonly message?: string
  }

/** Characters of a text: as of a notification's quote. The history cuts at 500, so that a secret at the end is seen whole. */
const longestText = 300

/**
 * @param previous the entry of that session before it
 * @returns undefined where nothing is to be sent: it keeps no state, or the session is another user's
 */
export function transitionOf(
  entry: StoredEntry,
  previous: StoredEntry | undefined,
): SessionTransition | undefined {
  const past = readPast(entry)
  const { session: id, agent = '', cwd } = entry
  if (!past || id === undefined || past.owner !== undefined) return undefined
  const at = new Date(entry.at).toISOString()
  const before = previous && readPast(previous)
  const to = standingOf(past)
  const { name, pid, code, signal, crashed, lost, turnOver = false, question, error, message } = past
  return {
    id: transitionId(entry.id, entry.at, id),
    at,
    from: before ? standingOf(before) : null,
    to,
    ...(past.isMore ? { more: true } : {}),
    session: {
      id,
      agent: oneLine(agent, longestText),
      ...defined({ name: shown(name), cwd, pid }),
      ...to,
      ...defined({ code, signal: shown(signal), crashed, lost: shown(lost) }),
      turnOver,
      since: at,
      ...defined({ question: shown(question), error: shown(error), message: shown(message) }),
    },
  }
}

const standingOf = ({ state, for: waitsFor, doing, after, health, turn }: PastState): Standing => ({
  state,
  ...defined({ for: waitsFor, doing, after, health }),
  turn,
})

/** The time is in it since a store that was begun anew counts from 1 again. It stands in a header. */
const transitionId = (entry: number, at: number, session: string): string =>
  `${entry}-${at.toString(36)}-${session.replace(/[^A-Za-z0-9]/g, '').slice(0, 40)}`

/** It leaves the machine: what looks like a secret does not. */
const shown = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : oneLine(redact(text), longestText)

/** `claude api: working → waiting/permission`. */
export const titleOf = ({ from, to, session: { agent, name, id } }: SessionTransition): string =>
  oneLine(`${agent} ${name ?? id}: ${from ? inWord(from) : 'new'} → ${inWord(to)}`, 200)

const inWord = ({ state, for: waitsFor, doing, after, health }: Standing): string => {
  const detail = waitsFor ?? doing ?? after
  return `${state}${detail === undefined ? '' : `/${detail}`}${health === undefined ? '' : ` (${health})`}`
}

/** What `lull notify test` sends. */
export function sampleTransition(id: string, at: number): SessionTransition & { readonly test: true } {
  const [working, idle] = [
    { state: 'working', turn: 1 },
    { state: 'idle', after: 'turn', turn: 1 },
  ] as const
  const time = new Date(at).toISOString()
  return {
    test: true,
    id,
    at: time,
    from: working,
    to: idle,
    session: { id: 'test', agent: 'test', ...idle, turnOver: true, since: time, message: 'lull: a test' },
  }
}
