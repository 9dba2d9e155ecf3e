/** From when on a living sign that contradicts the news counts: work counts soon, idleness only after the sign changed. */

import type { Best } from '../evidence/lanes.ts'
import { latestMs, unanswered } from '../evidence/presses.ts'
import type { Sign } from '../evidence/signal.ts'
import type { Session, TrackedStatus } from '../session.ts'
import { type Instant, type Kind, weight } from '../state.ts'

/**
 * A dialog stands on the screen for a moment after its answer was reported (OpenCode 1.18.33: 0.05 to 0.35 s), and a look may
 * first show it then: ms.
 */
const takenDownMs = 500

const isSeenDialog = ({ tier, state }: Sign): boolean => tier === 'seen' && state.kind === 'waiting'

/** From when on a sign that contradicts the news counts; Infinity where it may not. */
export function dueAt(
  best: Best,
  { sign, onProbation, stepsOwed }: TrackedStatus,
  signs: readonly TrackedStatus[],
  isUp: boolean,
): Instant {
  const { news, newest } = best
  if (!news) return sign.excludes.length > 0 || sign.state.kind !== 'idle' ? sign.since : Infinity
  const { kind } = news.state
  if (kind === 'starting') return sign.since + (isUp || sign.state.kind !== 'idle' ? 0 : (sign.settles ?? 0))
  if (onProbation || (sign.state.kind === 'idle' && news.outlasts?.includes(sign.source))) return Infinity
  // Work beside a dialog (a subagent's hooks) does not show that the dialog is still open.
  const isAnswer = kind === 'waiting' && sign.state.kind === 'working'
  const moved = sign.since > (isAnswer ? news.at : newest)
  if (weight[sign.state.kind] > weight[kind]) {
    if (!moved && !news.allows?.includes(sign.state.kind)) return newest + sign.lag + 1
    return isSeenDialog(sign) ? Math.max(sign.since, newest + takenDownMs) : sign.since
  }
  // A dialog that a screen does not know looks like the work before it, for ever.
  if (!moved || !sign.excludes.includes(kind)) return Infinity
  if (stepsOwed > 0 && sign.state.kind === 'idle') return whenSeconded(sign, best, signs)
  return whenAlone(sign, kind, signs)
}

/**
 * A source reports in order: it has to report this turn as busy, in answer to Enter, before it reports its end. `latestMs`
 * after both it is not late. Once news of the turn expired, a status from before its start is no evidence either.
 */
export function lateIdleDue(
  session: Session,
  { sign, busySince = -Infinity }: TrackedStatus,
  kind: Kind,
): Instant {
  const { startedAt = -Infinity } = session.turns.open ?? {}
  if (sign.state.kind !== 'idle') return -Infinity
  if (kind === 'unknown') return sign.since < startedAt - sign.lag ? Infinity : -Infinity
  if (kind !== 'working' && kind !== 'waiting') return -Infinity
  const unreported = busySince < startedAt - sign.lag ? startedAt : -Infinity
  return Math.max(unreported, unanswered(session, sign.source, sign.since) ?? -Infinity) + latestMs
}

/**
 * The sign has not been seen to keep step with the turn, as in every session that lull first sees after its turn. If
 * another source became idle after the news too, and the news are older than a source may be late, both show the end of this
 * turn: Claude Code's transcript lacks a prompt that Esc took back. Where the news themselves say that
 * this may be the end, two that show it are enough, also if one of them missed a turn that was shorter than its lag.
 */
function whenSeconded(sign: Sign, { news, newest }: Best, signs: readonly TrackedStatus[]): Instant {
  const mayBeEnd = news?.allows?.includes('idle') === true
  const second = signs.find(
    ({ sign: other, onProbation }) =>
      other.source !== sign.source &&
      !onProbation &&
      other.state.kind === 'idle' &&
      (mayBeEnd || other.since > newest),
  )
  if (!second || signs.some(({ sign: { state } }) => state.kind !== 'idle')) return Infinity
  const { since, lag } = second.sign
  if (mayBeEnd) return Math.max(sign.since, since > newest ? since : newest + lag + 1)
  return Math.max(newest + latestMs, sign.since, since)
}

/**
 * Where the news say that they may be the end: from when on it is shown to be, as every sign had time to show that work goes on, and is
 * idle. A turn that is over between two looks is never seen as busy. Infinity where one alone is idle, or the screen was not looked at since.
 */
export function endShownDue({ news }: Best, signs: readonly TrackedStatus[]): Instant {
  if (news?.allows?.includes('idle') !== true) return Infinity
  const known = signs.filter(({ onProbation }) => !onProbation).map(({ sign }) => sign)
  const isIdle = ({ state, hold, seen }: Sign): boolean =>
    state.kind === 'idle' && (hold === undefined || seen > news.seen)
  if (known.length < 2 || !known.every(isIdle)) return Infinity
  return Math.max(...known.map(({ since, lag }) => Math.max(since, news.seen + lag + 1)))
}

/** Another sign that goes on siding with the news holds up the one that would overturn them for its own lag. */
function whenAlone(sign: Sign, kind: Kind, signs: readonly TrackedStatus[]): Instant {
  // A dialog is reported before it is drawn: one look may still show the work before it.
  let alone = kind === 'waiting' && isGlimpsed(sign) ? sign.since + sign.lag : sign.since
  for (const { sign: other, onProbation } of signs) {
    if (onProbation || other.state.kind !== kind) continue
    alone = Math.max(alone, Math.max(other.seen, sign.since) + other.lag)
  }
  return alone
}

/** Seen on the screen at one look alone, where there were looks before it. */
const isGlimpsed = ({ tier, since, seen, isSinceLook }: Sign): boolean =>
  tier === 'seen' && !isSinceLook && seen <= since
