/** Sessions over time: files signals, keeps one timer a session from `recheckAt`, and notifies subscribers of changes. */

import { advance } from '../core/advance.ts'
import type { Clock, Timer } from '../core/clock.ts'
import { nothingBesideFrom } from '../core/evidence/beside.ts'
import type { Signal } from '../core/evidence/signal.ts'
import { questionIn } from '../core/explain/explain.ts'
import { isObserved } from '../core/judge/living-signs.ts'
import type { Verdict } from '../core/judge/verdict.ts'
import { newSession, type Session } from '../core/session.ts'
import { type Instant, sameState } from '../core/state.ts'
import { createSubscribers } from './subscribers.ts'

export type TrackChange = { readonly id: string; readonly session: Session; readonly verdict: Verdict }

export type Track = {
  /** Files signals for a session, which begins with the first. */
  file(id: string, signals: readonly Signal[]): Verdict
  /** Begins a session in a state of its own (a process that was seen to start). */
  begin(id: string, session: Session): void
  get(id: string): Session | undefined
  ids(): readonly string[]
  forget(id: string): void
  /** Every change from now on; ends when the track is closed or the reader leaves. */
  changes(): AsyncIterableIterator<TrackChange>
  close(): void
}

/** @param onChange called at each change of a session, before anything else is filed */
export function createTrack(clock: Clock, onChange?: (id: string) => void): Track {
  const sessions = new Map<string, Session>()
  const timers = new Map<string, Timer>()
  const subscribers = createSubscribers<TrackChange>(newestOfEach)
  let isClosed = false

  function settle(id: string, before: Session | undefined, session: Session): void {
    sessions.set(id, session)
    timers.get(id)?.cancel()
    timers.delete(id)
    const { recheckAt } = session.verdict
    if (recheckAt !== undefined && !isClosed)
      timers.set(
        id,
        clock.at(recheckAt, () => recheck(id)),
      )
    if (before && sameClaim(before.verdict, session.verdict) && sameWords(before, session)) return
    onChange?.(id)
    subscribers.emit({ id, session, verdict: session.verdict })
  }

  function recheck(id: string): void {
    const session = sessions.get(id)
    if (session) settle(id, session, advance(session, clock.now()))
  }

  return {
    file(id, signals) {
      const now = clock.now()
      const before = sessions.get(id)
      const start = before ?? newSession(now)
      const session = fileAll(start, now, signals)
      settle(id, before, session)
      return session.verdict
    },
    begin: (id, session) => settle(id, sessions.get(id), session),
    get: id => sessions.get(id),
    ids: () => [...sessions.keys()],
    forget(id) {
      timers.get(id)?.cancel()
      timers.delete(id)
      sessions.delete(id)
    },
    changes: () => subscribers.subscribe(),
    close() {
      isClosed = true
      for (const timer of timers.values()) timer.cancel()
      timers.clear()
      subscribers.close()
    },
  }
}

const newestOfEach = (waiting: readonly TrackChange[]): readonly TrackChange[] => [
  ...new Map(waiting.map(change => [change.id, change])).values(),
]

/** True if the details of the state are equal, whichever source has them: the question, who shows it, how it ended, what is beside it. */
function sameWords(a: Session, b: Session): boolean {
  const { state } = b.verdict
  if (state.kind === 'waiting')
    return questionIn(state, a.facts) === questionIn(state, b.facts) && isObserved(a) === isObserved(b)
  if (state.kind !== 'idle' && state.kind !== 'exited') return true
  return (
    a.facts.error === b.facts.error &&
    a.facts.finalMessage === b.facts.finalMessage &&
    nothingBesideFrom(a) === nothingBesideFrom(b)
  )
}

/** The due rechecks up to and including `to`. Each is later than the last, so this ends. */
export function* rechecks(session: () => Session, to: Instant): Generator<Instant> {
  for (;;) {
    const due = session().verdict.recheckAt
    if (due === undefined || due > to) return
    yield Math.max(due, session().now)
  }
}

/** Signals of one event are one step: what lies between them is nobody's verdict. */
export function fileAll(session: Session, at: Instant, signals: readonly Signal[]): Session {
  let next = session
  for (const signal of signals) next = advance(next, at, signal)
  return next
}

/** True where a reader of the verdict would see no difference. */
export function sameClaim(a: Verdict, b: Verdict): boolean {
  return (
    sameState(a.state, b.state) &&
    a.health.level === b.health.level &&
    a.health.cause === b.health.cause &&
    a.health.certainty === b.health.certainty &&
    a.turn === b.turn &&
    a.turnOver === b.turnOver &&
    a.asks === b.asks
  )
}
