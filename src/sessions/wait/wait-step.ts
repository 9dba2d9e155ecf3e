/**
 * When a wait is over, and how: decided from the sessions' verdicts, and from the time. What is not known for
 * sure never ends a wait as reached: something else is started on the strength of it.
 */
import type { BackgroundKind } from '../../core/evidence/background.ts'
import type { Session } from '../../core/session.ts'
import type { Instant } from '../../core/state.ts'
import type { LiveChange, LiveSession } from '../session-source.ts'
import { endOfTurn, isBesideOnly, reportedEnd } from '../turn-end.ts'
import {
  appearedTarget,
  asksUnbegun,
  follow,
  isExited,
  targetOf,
  type WaitTarget,
} from './wait-target-step.ts'

export const goals = ['idle', 'settled', 'waiting', 'stuck', 'exited'] as const
export type Goal = (typeof goals)[number]

export type WaitRequest = {
  readonly for: readonly Goal[]
  /** Only a turn that begins after the wait counts; or the one that runs as well, where none begins right behind it. */
  readonly next: boolean | 'or-running'
  /** The first session that is reached ends the wait, or all that are reached at one moment. */
  readonly mode: 'any' | 'all'
  /** Work that goes on once the turn is over is no work: of these kinds, or any. */
  readonly ignoreBackground: boolean | readonly BackgroundKind[]
  /** How long the state must have held, ms. */
  readonly held: number
  /** ms */
  readonly timeout?: number
}

/** The words of the exit table. */
export type WaitOutcome =
  | 'reached'
  | 'waitsForPerson'
  | 'stuck'
  | 'gone'
  | 'turnFailed'
  | 'limited'
  | 'timeout'

export type Done = {
  readonly outcome: WaitOutcome
  /** The sessions that decided: the one, or all that were reached; at a timeout those that were not. */
  readonly sessions: readonly LiveSession[]
}

export type WaitState = {
  readonly deadline: Instant
  readonly targets: readonly WaitTarget[]
  /** When it began: who appears later has done all that it did since. */
  readonly begun: Instant
  /** How many that are waited for have not appeared yet; Infinity where whoever comes is one. */
  readonly toCome: number
}

export type WaitEvent =
  | { readonly type: 'change'; readonly change: LiveChange; readonly now: Instant }
  | { readonly type: 'time'; readonly now: Instant }

export type WaitStep = {
  readonly state: WaitState
  readonly done?: Done
  /** Decide again at this instant, even if nothing changes until then. */
  readonly recheckAt?: Instant
}

/**
 * The first step: the sessions as they are when the wait begins.
 * @param typedAt when lull last typed into a session's pane
 */
export function startWait(
  request: WaitRequest,
  sessions: readonly LiveSession[],
  now: Instant,
  typedAt: (session: LiveSession) => Instant | undefined = () => undefined,
  toCome = 0,
): WaitStep {
  const targets = sessions.map(live => targetOf(live, now, typedAt(live)))
  const deadline = now + (request.timeout ?? Infinity)
  return decided(request, { deadline, targets, begun: now, toCome }, now)
}

/** Sessions that are waited for have appeared. */
export function joinWait(
  request: WaitRequest,
  state: WaitState,
  sessions: readonly LiveSession[],
  now: Instant,
  toCome: number,
): WaitStep {
  const joined = sessions.map(live => appearedTarget(live, state.begun, now))
  return decided(request, { ...state, targets: [...state.targets, ...joined], toCome }, now)
}

export function stepWait(request: WaitRequest, state: WaitState, event: WaitEvent): WaitStep {
  if (event.type === 'time') return decided(request, state, event.now)
  const targets = state.targets.map(one => follow(one, event.change, event.now))
  return decided(request, { ...state, targets }, event.now)
}

/** An outcome, and the instant from which it counts. */
type Standing = { readonly outcome: Exclude<WaitOutcome, 'timeout'>; readonly from: Instant }

const atOnce = (outcome: Standing['outcome']): Standing => ({ outcome, from: -Infinity })

/** An outcome from before lull typed: a dialog may be answered, or a turn begun, that no source has reported yet. */
function standingOf(request: WaitRequest, one: WaitTarget): Standing | undefined {
  const standing = reportedStanding(request, one)
  const { kind } = one.live.session.verdict.state
  if (!standing || !isOfBefore(one) || kind === 'exited' || one.lost) return standing
  return { ...standing, from: Math.max(standing.from, one.typedAt + reportMs) }
}

/** As long as the slowest source takes to tell of a turn that began with Enter (terminal/paint.ts). */
const reportMs = 3000

const isOfBefore = ({ live: { session, isSinceLook }, typedAt }: WaitTarget): boolean =>
  isSinceLook === true || session.verdict.since <= typedAt

function reportedStanding(request: WaitRequest, one: WaitTarget): Standing | undefined {
  const { verdict } = one.live.session
  const { kind } = verdict.state
  const wants = (goal: Goal): boolean => request.for.includes(goal)
  const wantsRest = wants('idle') || wants('settled')
  if (one.lost === 'missing') return atOnce('gone')
  if (isExited(one)) return atOnce(wants('exited') ? 'reached' : 'gone')
  const counts = !request.next || one.hasBegun || isRunningMeant(request, one)
  const isNews = counts && one.busyAt === undefined
  if (counts && wants('stuck') && one.stuckSince !== undefined)
    return { outcome: 'reached', from: one.stuckSince + request.held }
  if (isNews && wants('waiting') && kind === 'waiting')
    return { outcome: 'reached', from: verdict.since + request.held }
  if (verdict.health.level === 'confirmed_stuck') return atOnce('stuck')
  if (!counts && asksUnbegun(one)) {
    // A person's own menu is gone soon; what a turn asks stays.
    const heldFor = (ms: number): Instant => verdict.since + Math.max(reportMs, ms)
    if (wants('waiting')) return { outcome: 'reached', from: heldFor(request.held) }
    return wantsRest ? { outcome: 'waitsForPerson', from: heldFor(0) } : undefined
  }
  if (!counts || !wantsRest) return undefined
  if (kind === 'waiting') return wants('waiting') ? undefined : atOnce('waitsForPerson')
  if (!isNews) return undefined
  const standing = wants('idle') ? idleStanding(request, one.live.session) : settledStanding(request, one)
  const isLast = !request.next || one.hasBegun
  return isLast || !standing
    ? standing
    : { ...standing, from: Math.max(standing.from, verdict.since + reportMs) }
}

/** What is typed into a turn is answered within, or begins one of its own behind it. */
const isRunningMeant = ({ next }: WaitRequest, { wasRunning }: WaitTarget): boolean =>
  next === 'or-running' && wasRunning

/** Two sources report one end within this time (core/evidence/file-event.ts), and one source's events this much sooner. */
const reportedEndMs = { sign: 2000, news: 300, exit: 0 } as const

/** If a source reported the end of the turn but not how it ended, the next may report an interruption. */
function idleStanding(request: WaitRequest, session: Session): Standing | undefined {
  const { state, since, turn, because } = session.verdict
  if (state.kind !== 'idle' && !isBesideOnly(session, request.ignoreBackground)) return undefined
  const isEndUnreported = turn > 0 && reportedEnd(session) === undefined
  const reported = isEndUnreported ? reportedEndMs[because[0]?.type ?? 'sign'] : 0
  const hold = Math.max(request.held, reported)
  return { outcome: idleOutcome(session), from: since + hold }
}

/** Ends as a wait for idle does, and no sooner. */
function settledStanding(request: WaitRequest, { live, settledSince }: WaitTarget): Standing | undefined {
  const standing = idleStanding(request, live.session)
  return standing && settledSince !== undefined
    ? { ...standing, from: Math.max(standing.from, settledSince + request.held) }
    : undefined
}

function idleOutcome(session: Session): 'reached' | 'turnFailed' | 'limited' {
  switch (endOfTurn(session)) {
    case 'error':
    case 'interrupt':
      return 'turnFailed'
    case 'limit':
      return 'limited'
    case 'turn':
    case undefined:
      return 'reached'
  }
}

function decided(request: WaitRequest, state: WaitState, now: Instant): WaitStep {
  const standings = state.targets.map(one => ({ live: one.live, standing: standingOf(request, one) }))
  const holding = standings.map(({ live, standing }) => ({
    live,
    outcome: standing && now >= standing.from ? standing.outcome : undefined,
  }))
  const isOpen = state.toCome > 0
  const done = request.mode === 'any' ? anyDone(holding, isOpen) : allDone(holding, isOpen)
  if (done) return { state, done }
  if (now >= state.deadline) {
    const late = holding.filter(({ outcome }) => outcome !== 'reached').map(({ live }) => live)
    return { state, done: { outcome: 'timeout', sessions: late } }
  }
  const due = standings.map(({ standing }) => standing?.from ?? Infinity)
  const recheckAt = Math.min(state.deadline, ...due.filter(at => at > now))
  return recheckAt < Infinity ? { state, recheckAt } : { state }
}

type Holding = { readonly live: LiveSession; readonly outcome: Standing['outcome'] | undefined }

/** One that failed fails them all, the first of the command line where several did. */
function allDone(holding: readonly Holding[], isOpen: boolean): Done | undefined {
  const failed = holding.find(({ outcome }) => outcome !== undefined && outcome !== 'reached')
  if (failed?.outcome) return { outcome: failed.outcome, sessions: [failed.live] }
  if (isOpen || !holding.every(({ outcome }) => outcome === 'reached')) return undefined
  return { outcome: 'reached', sessions: holding.map(({ live }) => live) }
}

/** One that failed is passed over as long as another may be reached, also one that is still to come. */
function anyDone(holding: readonly Holding[], isOpen: boolean): Done | undefined {
  const reached = holding.find(({ outcome }) => outcome === 'reached')
  if (reached) return { outcome: 'reached', sessions: [reached.live] }
  const areAllOver = !isOpen && holding.every(({ outcome }) => outcome !== undefined)
  return areAllOver ? allDone(holding, isOpen) : undefined
}
