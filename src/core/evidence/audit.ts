/**
 * Which signs to trust. A source must have moved in step with the news once before it may overturn them. One that goes
 * on contradicting them beyond its lawful lag, while a second witness sides with them, is late or broken: it counts for
 * nothing until it has kept step again.
 */

import type { Claim, Session, TrackedStatus } from '../session.ts'
import type { Instant, Kind } from '../state.ts'
import { type Best, heaviestLane } from './lanes.ts'
import { channel, type Sign } from './signal.ts'

/** A terminal that painted nothing for this long sides with idle (docs/research/agents.md#what-repaints). */
const quietMs = 3000
/** A value that stood for less is a flicker (Codex' title and status while it starts: 3 to 40 ms). */
export const flickerMs = 50
/** Moves in step with the news that a late or broken source owes before it is trusted again. */
export const probationSteps = 2

/** The signs as they are to be trusted from `now` on, judged by what was known before. */
export function auditSigns(session: Session, now: Instant): Session['signs'] {
  let signs = session.signs
  let best: Best | undefined
  for (const source in session.signs) {
    const held = session.signs[source] as TrackedStatus
    const { sign } = held
    if (!sign.alive || sign.tier === 'inferred' || sign.state.kind === 'unknown') continue
    best ??= heaviestLane(session, now)
    const audited = isBroken(session, best, held, now)
      ? { ...held, stepsOwed: probationSteps, onProbation: true }
      : creditStep(session, held, now)
    if (audited !== held) signs = { ...signs, [source]: audited }
  }
  return signs
}

function isBroken(
  session: Session,
  { news, claim, newest }: Best,
  { sign, stepsOwed, onProbation }: TrackedStatus,
  now: Instant,
): boolean {
  if (!news || !claim || (onProbation && stepsOwed === probationSteps)) return false
  if (news.state.kind === 'starting' || sign.state.kind === news.state.kind) return false
  if (sign.since > newest || now <= newest + sign.lag || news.allows?.includes(sign.state.kind)) return false
  if (news.outlasts?.includes(sign.source)) return false
  return witnessCount(session, claim, sign, now) >= 2
}

/** A sign that moved when the news did, within its lag to either side, and not only for a moment, has made one step. */
function creditStep({ kindByNews }: Session, held: TrackedStatus, now: Instant): TrackedStatus {
  const { sign, stepsOwed } = held
  if (stepsOwed === 0 || held.isCounted || sign.state.kind !== kindByNews.kind) return held
  if (Math.abs(sign.since - kindByNews.since) > sign.lag || now < sign.since + flickerMs) return held
  return {
    ...held,
    stepsOwed: stepsOwed - 1,
    onProbation: held.onProbation && stepsOwed > 1,
    isCounted: true,
  }
}

function witnessCount(session: Session, claim: Claim, sign: Sign, now: Instant): number {
  const seen = new Set<string>()
  const accused = channel[sign.source]
  for (const source of claim.by) seen.add(channel[source])
  for (const source in session.signs) {
    const other = session.signs[source] as TrackedStatus
    if (!other.onProbation && sidesWith(other.sign, claim.news.state.kind, now))
      seen.add(channel[other.sign.source])
  }
  seen.delete(accused)
  return seen.size
}

function sidesWith(sign: Sign, kind: Kind, now: Instant): boolean {
  if (sign.tier !== 'inferred') return sign.alive && sign.state.kind === kind
  if (sign.source !== 'paint' || sign.hold === undefined) return false
  return now < sign.seen + sign.hold ? kind === 'working' : kind === 'idle' && now > sign.seen + quietMs
}
