/** The detector's verdict on a session, reduced to what respawn's step needs. Pure: no rule of its own about states. */

import { defined } from '../core/defined.ts'
import { kindsBeside, wakesOf } from '../core/evidence/beside.ts'
import { never } from '../core/evidence/turns.ts'
import { explain } from '../core/explain/explain.ts'
import type { Evidence } from '../core/judge/verdict.ts'
import type { Session } from '../core/session.ts'
import type { Instant } from '../core/state.ts'
import { resetIn } from '../loop/limit-reset.ts'
import { hasCrashed } from '../sessions/crashed.ts'
import { isPrompt } from '../sessions/detection-status.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { endOfTurn, isBesideOnly } from '../sessions/turn-end.ts'
import type { IdleBy, Sighting } from './step/respawn-state.ts'

/** Verdicts below are right less often than a step may be sent by mistake (docs/benchmarks.md#benchagents). */
const sureFrom = 0.9

/** `zone`: ms by which the machine's clock is ahead of UTC. */
type Moment = { readonly now: Instant; readonly wall: number; readonly zone: number }

export function sightingOf(live: LiveSession, moment: Moment, ignoresBackground: boolean): Sighting {
  const { session } = live
  const { verdict, facts } = session
  const { state, since, turn, health, healthBy } = verdict
  const { turns } = session
  const common = {
    turn,
    since,
    ...(turns.lastStart === never ? {} : { turnAt: turns.lastStart }),
    ...(isByHooksAlone(session) ? { isByHooksAlone: true as const } : {}),
    ...(state.kind === 'idle' && areHooksDue(session) ? { hasHooksDue: true as const } : {}),
    ...(facts.prompt === undefined || session.promptAt === undefined
      ? {}
      : { prompt: { at: session.promptAt, text: facts.prompt } }),
    why: explain(verdict, moment.now, facts),
    ...(facts.cost === undefined ? {} : { cost: facts.cost }),
    ...(health.level === 'confirmed_stuck' ? { stuckSince: healthBy?.since ?? since } : {}),
  }
  switch (state.kind) {
    case 'starting':
    case 'unknown':
      return { ...common, is: 'unknown' }
    case 'exited':
      return { ...common, is: 'exited', ...(hasCrashed(live) ? { isCrash: true } : {}) }
    case 'waiting':
      return { ...common, is: 'waiting', for: state.for }
    case 'working':
      if (!isBesideOnly(session, true)) return { ...common, is: 'working' }
      return ignoresBackground
        ? { ...common, is: 'idle', by: 'reported', ...endOf(live, moment), isBeside: true }
        : { ...common, is: 'working', isBeside: true }
    case 'idle': {
      const isBeside =
        kindsBeside(session) !== undefined ||
        wakesOf(facts, moment.now).length > 0 ||
        // A server counts as no work, and ends with the conversation all the same.
        (facts.background ?? []).length > 0
          ? ({ isBeside: true } as const)
          : {}
      return { ...common, is: 'idle', by: idleBy(live), ...endOf(live, moment), ...isBeside }
    }
  }
}

function idleBy({ hooks, session }: LiveSession): IdleBy {
  const { because, confidence } = session.verdict
  const [first] = because
  if (!first || confidence < sureFrom) return 'doubtful'
  if (isPrompt(first)) return 'prompted'
  if (first.type !== 'news' && !isDeclared(first)) return 'shown'
  return hooks === 'heard' && areHooksDue(session) ? 'hooks_due' : 'reported'
}

/** Another source reported the end of a turn before its hooks did. No hook reports a turn that a person broke off. */
const areHooksDue = (session: Session): boolean =>
  endOfTurn(session) !== 'interrupt' && session.turns.count > 0 && !hasHookEnded(session)

/** A hook reported an end after the newest turn began. */
const hasHookEnded = ({ lanes, turns }: Session): boolean =>
  Object.values(lanes).some(
    ({ news, by }) => news.state.kind === 'idle' && by.includes('hook') && news.at >= turns.lastStart,
  )

/** Whether only hooks reported the beginning of the newest turn. */
function isByHooksAlone({ turns: { count, toldBy } }: Session): boolean {
  const reporters = Object.entries(toldBy).flatMap(([source, turn]) => (turn >= count ? [source] : []))
  return count > 0 && reporters.length === 1 && reporters[0] === 'hook'
}

/** A statement of the program itself: a status file, an escape code made for that. */
const isDeclared = (evidence: Evidence): boolean =>
  evidence.type === 'sign' && (evidence.tier === 'proven' || evidence.tier === 'declared')

function endOf({ session }: LiveSession, { now, wall, zone }: Moment): Pick<Sighting, 'after' | 'limit'> {
  const after = endOfTurn(session)
  const { limit, since } = session.verdict
  const end = after === undefined ? {} : { after }
  if (after !== 'limit') return end
  // A time in the error counts from when the error came.
  const failedAt = wall - (now - since)
  const left = resetIn(session.facts.error ?? '', failedAt, zone)
  const until = limit?.until === undefined ? left && failedAt + left : wall + (limit.until - now)
  return { ...end, limit: defined({ until }) }
}
