/** What a wait keeps of one session: its turns at the start, what came after, and how new another source's reports must be. */
import { defined } from '../../core/defined.ts'
import { instantOf } from '../../core/explain/explain.ts'
import type { Verdict } from '../../core/judge/verdict.ts'
import type { Session } from '../../core/session.ts'
import type { Instant, WaitingFor } from '../../core/state.ts'
import type { LiveChange, LiveSession } from '../session-source.ts'
import { isShownAs } from '../shown-as.ts'
import { isInTurn } from '../turn-end.ts'

/** Where the turns stood when the wait began. */
type Base = {
  readonly at: Instant
  /** Whether a turn ran was known then. If not, the first that shows may be an old one. */
  readonly isSure: boolean
  /** It rested then. */
  readonly isIdle: boolean
}

export type WaitTarget = {
  readonly live: LiveSession
  /** `forgotten`: after its process had exited; `missing`: another source does not find it. */
  readonly lost?: 'forgotten' | 'missing'
  readonly base: Base
  /** When the wait for it began: the base is newer where another source took over, or more became known. */
  readonly from: Instant
  /** A turn ran when the wait began. */
  readonly wasRunning: boolean
  /** A turn of after the base has begun. */
  readonly hasBegun: boolean
  readonly stuckSince?: Instant
  /** From when on it is settled, if nothing changes: not before it was seen so, where something else was seen before. */
  readonly settledSince?: Instant
  /** When a source that is gone last saw it at work: what another one reports must be newer to end the wait. */
  readonly busyAt?: Instant
  /** The id of the terminal that is waited for, while an agent that was found in it is shown in its place. */
  readonly terminal?: string
  /** When lull last typed into its pane before the wait began; never where it has not. */
  readonly typedAt: Instant
}

/** A session as it is when the wait begins. */
export const targetOf = (live: LiveSession, now: Instant, typedAt: Instant = -Infinity): WaitTarget => ({
  ...observed(live, undefined, now),
  base: baseOf(live.session, now),
  from: now,
  wasRunning: isInTurn(live.session),
  hasBegun: false,
  // After a reboot the stored time may lie ahead of the clock.
  typedAt: typedAt > now ? -Infinity : typedAt,
})

/** A session that was not there when the wait began: whatever it does since then, it does for the first time. */
export function appearedTarget(live: LiveSession, begun: Instant, now: Instant): WaitTarget {
  const base: Base = { at: begun, isSure: true, isIdle: false }
  return { ...targetOf(live, now), base, from: begun, hasBegun: live.session.turns.lastStart > begun }
}

export function follow(one: WaitTarget, change: LiveChange, now: Instant): WaitTarget {
  switch (change.type) {
    case 'changed':
      if (change.session.id === one.live.id) return followed(one, change.session, now)
      return nextOf(one, [change.session], now) ?? one
    case 'gone':
      if (change.id !== one.live.id || change.shownAs !== undefined) return one
      return { ...one, lost: one.lost ?? 'forgotten' }
    case 'snapshot': {
      const live = change.sessions.find(({ id }) => id === one.live.id)
      if (!live)
        return nextOf(one, change.sessions, now) ?? (isExited(one) ? one : { ...one, lost: 'missing' })
      // Another source counts turns from where it began to look: what it calls the tenth may be an old one.
      const base = baseOf(live.session, now)
      const hasBegun = one.hasBegun || isReportedAfter(one.from, live.session)
      return { ...lasting(one), ...observed(live, { ...one, ...lastBusy(one) }, now), base, hasBegun }
    }
  }
}

/**
 * Who is waited for from now on, where another one is shown in the place: the agent that was found in the terminal, or the
 * terminal again when that has ended. What it began since the wait is its first.
 */
function nextOf(one: WaitTarget, shown: readonly LiveSession[], now: Instant): WaitTarget | undefined {
  const { live, terminal, from, typedAt } = one
  const back = shown.find(({ id }) => id === terminal)
  if (back) return { ...appearedTarget(back, from, now), typedAt }
  if (live.agent !== 'terminal' || isExited(one)) return undefined
  const agent = shown.find(session => isShownAs(live, session))
  return agent && { ...appearedTarget(agent, from, now), typedAt, terminal: live.id }
}

function lastBusy({ live }: WaitTarget): { busyAt?: Instant } {
  const { state, because } = live.session.verdict
  const [evidence] = because
  return state.kind === 'idle' || !evidence ? {} : { busyAt: instantOf(evidence) }
}

export const isExited = ({ live, lost }: WaitTarget): boolean =>
  lost === 'forgotten' || live.session.verdict.state.kind === 'exited'

function followed(one: WaitTarget, live: LiveSession, now: Instant): WaitTarget {
  const hasBegun = one.hasBegun || isBegunAfter(one, live.session)
  const base = hasBegun || one.base.isSure ? one.base : baseOf(live.session, now)
  return { ...lasting(one), ...observed(live, one, now), base, hasBegun }
}

/** What no change of its session changes. */
const lasting = ({ from, wasRunning, typedAt, terminal }: WaitTarget) => ({
  from,
  wasRunning,
  typedAt,
  ...defined({ terminal }),
})

function observed(live: LiveSession, before: WaitTarget | undefined, now: Instant) {
  const { verdict } = live.session
  const busyAt = isNewer(verdict, before?.busyAt) ? undefined : before?.busyAt
  return {
    live,
    ...(isStuck(verdict) ? { stuckSince: before?.stuckSince ?? now } : {}),
    ...(live.settledFrom === undefined ? {} : { settledSince: settledSince(live.settledFrom, before, now) }),
    ...(busyAt === undefined ? {} : { busyAt }),
  }
}

/** What has ended beside a turn left no time of its own. */
function settledSince(from: Instant, before: WaitTarget | undefined, now: Instant): Instant {
  if (!before) return from
  return Math.max(from, before.settledSince ?? now)
}

const isNewer = ({ because: [evidence] }: Verdict, than: Instant = -Infinity): boolean =>
  evidence !== undefined && instantOf(evidence) > than

function baseOf({ verdict, turns }: Session, now: Instant): Base {
  const { kind } = verdict.state
  const isBetween = kind === 'idle' || kind === 'starting' || (verdict.turnOver && kind !== 'unknown')
  return {
    at: now,
    isSure: isBetween || (kind !== 'unknown' && turns.open !== undefined),
    isIdle: kind === 'idle',
  }
}

/** Its start was reported, or no turn ran before: otherwise lull has only found a turn that was running. */
const isBegunAfter = ({ base, from }: WaitTarget, session: Session): boolean =>
  (base.isSure && session.turns.lastStart > base.at) || isReportedAfter(from, session)

/** Also one that began while nobody looked, or is read late. */
const isReportedAfter = (from: Instant, { turns }: Session): boolean =>
  turns.isStartReported === true && turns.lastStart > from

/** What agents ask within a turn; the rest is asked beside one, as of a start or of a command of their own. */
const inTurns: ReadonlySet<WaitingFor> = new Set(['permission', 'question', 'plan'])

/** It rested, and now its screen asks: for a turn whose work no look has seen. */
export function asksUnbegun({ base, live }: WaitTarget): boolean {
  const { verdict } = live.session
  const isShown = verdict.because[0]?.type === 'sign' && isNewer(verdict, base.at)
  return base.isIdle && isShown && verdict.state.kind === 'waiting' && inTurns.has(verdict.state.for)
}

const isStuck = ({ health }: Verdict): boolean =>
  health.level === 'likely_stuck' || health.level === 'confirmed_stuck'
