/** What became of the sessions since an instant, in a few words: what a person wants to know who was away. Pure. */
import type { StoredEntry } from '../../history/entry.ts'
import { inFull, type PastState, readPast } from './session-past.ts'

/** What has become of it, what needs a person first. */
const outcomes = [
  'waits',
  'stuck',
  'died',
  'failed',
  'limited',
  'finished',
  'works',
  'idle',
  'ended',
  'unknown',
] as const
export type OutcomeAway = (typeof outcomes)[number]
export const isOutcomeAway = (word: string): word is OutcomeAway => outcomes.some(one => one === word)

export type SessionAway = {
  readonly session: string
  readonly agent: string
  readonly cwd?: string
  /** As it is now, or was at its end, and since when: ms since the epoch. */
  readonly last: PastState
  readonly since: number
  readonly outcome: OutcomeAway
  /** Turns that ended so. */
  readonly finished: number
  readonly failed: number
  readonly limited: number
  /** How often it waited for a person, and for how long in all: ms. */
  readonly waits: number
  readonly waited: number
}

/**
 * @param entries of sessions, the oldest first; those before `from` tell how a session was then
 * @param from, until ms since the epoch
 * @returns those of which something changed, or that need somebody; what needs a person first
 */
export function whileAway(
  entries: readonly StoredEntry[],
  from: number,
  until: number,
): readonly SessionAway[] {
  const bySession = Map.groupBy(
    entries.filter(({ session }) => session !== undefined),
    ({ session }) => session as string,
  )
  return [...bySession].flatMap(([session, all]) => awayOf(session, all, from, until) ?? []).sort(byOutcome)
}

/** What needs a person first. */
export const byOutcome = (a: SessionAway, b: SessionAway): number =>
  outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome) || a.since - b.since

function awayOf(
  session: string,
  entries: readonly StoredEntry[],
  from: number,
  until: number,
): SessionAway | undefined {
  // In the order in which they came: a clock may have been set back in between.
  const states = inFull(entries.toSorted((a, b) => a.id - b.id)).flatMap(entry => {
    const past = readPast(entry)
    return past ? [{ past, at: entry.at, entry }] : []
  })
  const last = states.at(-1)
  if (!last) return undefined
  const news = states.filter(({ at }) => at >= from)
  const isOpen = last.past.state === 'waiting' || last.past.health !== undefined
  if (news.length === 0 && !isOpen) return undefined
  const ended = (after: string): number => news.filter(({ past }) => past.after === after).length
  // If no source reports how it ended, a state other than `starting` still shows that a turn is over.
  const hasWorked = (entry: StoredEntry): boolean =>
    states[states.findIndex(one => one.entry === entry) - 1]?.past.state === 'working'
  const finished = news.filter(
    ({ past, entry }) =>
      past.state === 'idle' &&
      (past.after === 'turn' || (past.after === undefined && past.turn > 0 && hasWorked(entry))),
  ).length
  const waits = states.flatMap(({ past, at }, n) =>
    past.state === 'waiting' ? [{ from: Math.max(at, from), to: states[n + 1]?.at ?? until }] : [],
  )
  const inTime = waits.filter(({ to }) => to > from)
  const { agent = '', cwd } = last.entry
  return {
    session,
    agent,
    ...(cwd === undefined ? {} : { cwd }),
    last: last.past,
    since: last.at,
    outcome: outcomeOf(last.past, finished),
    finished,
    failed: ended('error'),
    limited: ended('limit'),
    waits: inTime.length,
    waited: inTime.reduce((sum, wait) => sum + Math.max(0, wait.to - wait.from), 0),
  }
}

function outcomeOf({ state, after, health, crashed, lost }: PastState, finished: number): OutcomeAway {
  if (state === 'waiting') return 'waits'
  if (state === 'exited') return crashed || lost !== undefined ? 'died' : 'ended'
  if (health !== undefined) return 'stuck'
  switch (state) {
    case 'idle':
      if (after === 'error') return 'failed'
      if (after === 'limit') return 'limited'
      return finished > 0 ? 'finished' : 'idle'
    case 'starting':
    case 'working':
      return 'works'
    default:
      return 'unknown'
  }
}
