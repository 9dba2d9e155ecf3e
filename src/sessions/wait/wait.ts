/** Waits for sessions: registers first, then decides, and sleeps in between. */

import type { Clock } from '../../core/clock.ts'
import { LullError } from '../../core/lull-error.ts'
import type { Instant } from '../../core/state.ts'
import type { LiveChange, LiveSession, SessionSource } from '../session-source.ts'
import { isShownAs } from '../shown-as.ts'
import type { LastingChanges } from './lasting-changes.ts'
import {
  type Done,
  joinWait,
  startWait,
  stepWait,
  type WaitRequest,
  type WaitState,
  type WaitStep,
} from './wait-step.ts'

/** Who is waited for, and was not there when the wait began. */
export type Appearing = {
  /** How many have not come yet; Infinity where whoever comes is one. */
  toCome(): number
  /** Those that a change brings. */
  among(change: LiveChange): readonly LiveSession[]
}

export type WaitPorts = {
  readonly changes: LastingChanges
  readonly clock: Clock
  /** Ends the wait without an answer. */
  readonly signal: AbortSignal
  /** Called once every turn that begins from now on counts. */
  readonly onRegistered: (sessions: readonly LiveSession[]) => void
  /** From when its timeout counts: to find the sessions takes time, too. Now, where not given. */
  readonly begun?: Instant
  /** The instant as of which the first snapshot is: what begins later is new. Now, where not given. */
  readonly registeredAt?: Instant
  /** When lull last typed into a session's pane; it never has, where not given. */
  readonly typedAt?: (session: LiveSession) => Instant | undefined
  /** Nobody, where not given. */
  readonly appearing?: Appearing
}

/**
 * Waits until the request is met, or can't be.
 * @param find the sessions that are meant, among those on the machine
 * @returns how it ended; undefined where the signal ended it
 * @throws {LullError} SOURCE_GONE where nothing can be known any more
 */
export async function wait(
  request: WaitRequest,
  find: (sessions: readonly LiveSession[]) => readonly LiveSession[],
  { changes, clock, signal, onRegistered, begun = clock.now(), registeredAt, typedAt, appearing }: WaitPorts,
): Promise<Done | undefined> {
  const { timeout } = request
  const deadline = timeout === undefined ? undefined : begun + timeout
  const first = await soonest(once(changes.next()), clock, notBefore(deadline, clock), signal)
  if (first === undefined) return undefined
  if (first === 'time') return { outcome: 'timeout', sessions: [] }
  if (first.type !== 'snapshot')
    throw new LullError(
      'SOURCE_GONE',
      'the sessions can’t be watched: their source began without telling which there are',
    )
  const sessions = find(first.sessions)
  const from = registeredAt ?? clock.now()
  const left = deadline === undefined ? {} : { timeout: deadline - from }
  let step = startWait({ ...request, ...left }, sessions, from, typedAt, appearing?.toCome())
  if (!step.done) onRegistered(sessions)
  let next = once(changes.next())
  for (;;) {
    step = await confirmed(step, request, changes.source(), clock)
    if (step.done) return step.done
    const change = await soonest(next, clock, step.recheckAt, signal)
    if (change === undefined) return undefined
    if (change !== 'time') next = once(changes.next())
    const event = change === 'time' ? ({ type: 'time' } as const) : ({ type: 'change', change } as const)
    step = stepWait(request, step.state, { ...event, now: clock.now() })
    if (change !== 'time' && appearing) step = joined(step, request, change, appearing, clock.now())
  }
}

function joined(
  step: WaitStep,
  request: WaitRequest,
  change: LiveChange,
  appearing: Appearing,
  now: Instant,
): WaitStep {
  if (step.done) return step
  const known = step.state.targets.map(({ live }) => live.id)
  const come = appearing.among(change).filter(({ id }) => !known.includes(id))
  const found = [...new Map(come.map(session => [session.id, session])).values()]
  return found.length > 0 ? joinWait(request, step.state, found, now, appearing.toCome()) : step
}

/** Whatever the timeout is, one answer is waited for, if it comes soon: ms. */
const answerMs = 1500

const notBefore = (deadline: Instant | undefined, clock: Clock): Instant | undefined =>
  deadline === undefined ? undefined : Math.max(deadline, clock.now() + answerMs)

/** A source that can't be asked is most often one that is about to end. */
const askAgainMs = 1000

/**
 * A report may be outdated: a transcript that was found late reports all its turns, one by one. So nothing is reached
 * before the source, asked again, reports the same.
 */
async function confirmed(
  step: WaitStep,
  request: WaitRequest,
  live: SessionSource,
  clock: Clock,
): Promise<WaitStep> {
  if (step.done?.outcome !== 'reached') return step
  const sessions = await answerBy(live.list(), clock, step.state.deadline)
  const now = clock.now()
  if (!sessions) return unconfirmed(step.state, step.done, now)
  let next: WaitStep = step
  for (const one of step.done.sessions) {
    const { id } = one
    const session = sessions.find(other => other.id === id) ?? sessions.find(other => isShownAs(one, other))
    const change: LiveChange = session ? { type: 'changed', session } : { type: 'gone', id }
    next = stepWait(request, next.state, { type: 'change', change, now })
  }
  return next
}

/** Undefined where none comes in time. */
function answerBy<T>(answer: Promise<T>, clock: Clock, by: Instant): Promise<T | undefined> {
  return new Promise(resolve => {
    const end = (value?: T) => {
      timer?.cancel()
      resolve(value)
    }
    const at = by < Infinity ? notBefore(by, clock) : undefined
    const timer = at === undefined ? undefined : clock.at(at, () => resolve(undefined))
    answer.then(end, () => end())
  })
}

function unconfirmed(state: WaitState, { sessions }: Done, now: Instant): WaitStep {
  if (now >= state.deadline) return { state, done: { outcome: 'timeout', sessions } }
  return { state, recheckAt: Math.min(state.deadline, now + askAgainMs) }
}

/** A wait that is over leaves its last read behind: how that ends concerns nobody. */
function once(next: Promise<LiveChange | undefined>): Promise<LiveChange | undefined> {
  next.catch(() => undefined)
  return next
}

/** The next change, or `time` where `at` comes first, or undefined where there is nothing more to wait for. */
function soonest(
  next: Promise<LiveChange | undefined>,
  clock: Clock,
  at: Instant | undefined,
  signal: AbortSignal,
): Promise<LiveChange | 'time' | undefined> {
  if (signal.aborted) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const timer = at === undefined ? undefined : clock.at(at, () => end('time'))
    const aborted = () => end(undefined)
    const cleanUp = () => {
      timer?.cancel()
      signal.removeEventListener('abort', aborted)
    }
    const end = (value: LiveChange | 'time' | undefined) => {
      cleanUp()
      resolve(value)
    }
    signal.addEventListener('abort', aborted)
    next.then(end, error => {
      cleanUp()
      reject(error)
    })
  })
}
