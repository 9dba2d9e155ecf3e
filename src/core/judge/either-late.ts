/**
 * A sign and the news contradict each other, and either may be the one that is late, or early: nobody can tell which, so
 * it is `unknown`. In the fault runs any other verdict was nearly always wrong (docs/benchmarks.md#either-is-late).
 */

import type { Best } from '../evidence/lanes.ts'
import { latestMs, newestPrompt } from '../evidence/presses.ts'
import type { News, Sign } from '../evidence/signal.ts'
import type { Session, TrackedStatus } from '../session.ts'
import type { Instant } from '../state.ts'
import type { Verdict } from './verdict.ts'

/**
 * Until when a sign that calls a session busy after the end of a turn may show that turn still: for as long as a source may
 * be late, and where it has said nothing since the end, always. What answers an Enter that is newer than the end is a turn
 * of its own, and so is work after a mere start.
 */
export function lateWorkUntil({ answers }: Session, sign: Sign, news: News): Instant {
  const isTurnEnd = news.state.kind === 'idle' && news.onlyFrom === undefined
  if (!isTurnEnd || news.allows?.includes(sign.state.kind)) return -Infinity
  const answered = answers[sign.source]?.press
  if (answered !== undefined && answered > news.at) return -Infinity
  const latest = news.at + latestMs
  if (sign.seen > latest) return -Infinity
  return sign.since > news.at ? latest : Infinity
}

/**
 * From when on work that a sign denies is not known: it has called the turn of the newest Enter busy, and over. News that call
 * it busy still, no later than a source may be, may be of what is over; and it may be the next turn of which it has told
 * nothing yet.
 */
export function deniedFrom(session: Session, held: TrackedStatus, best: Best): Instant {
  const { sign } = held
  if (hasToldEnd(session, sign, best)) return best.newest + sign.lag + 1
  return isUntried(held, best) ? sign.since + latestMs : Infinity
}

/**
 * It has not been seen to keep step yet, so that it overturns nothing. But it moved after the news, and were that late, it
 * would have reported what is newer within `latestMs`.
 */
const isUntried = ({ sign, stepsOwed, onProbation }: TrackedStatus, { news, newest }: Best): boolean =>
  stepsOwed > 0 && !onProbation && sign.since > newest && news !== undefined && denies(sign, news)

/** The sign is idle. Some programs show a dialog as they show idleness: that contradicts work as well. */
const denies = (sign: Sign, { state, outlasts }: News): boolean =>
  sign.state.kind === 'idle' &&
  outlasts?.includes(sign.source) !== true &&
  (state.kind === 'working' || sign.excludes.includes(state.kind))

function hasToldEnd({ presses, answers }: Session, sign: Sign, { news, newest }: Best): boolean {
  const prompt = newestPrompt(presses)
  if (!news || !denies(sign, news) || !prompt || newest > sign.since + latestMs) return false
  return (answers[sign.source]?.press ?? -Infinity) >= prompt.at
}

/** From when on a program that calls itself idle may be up, though that has not settled. */
export const mayBeUpFrom = (sign: Sign, { news }: Best): Instant =>
  news?.state.kind === 'starting' && sign.state.kind === 'idle' && sign.mayBeUpFrom !== undefined
    ? sign.since + sign.mayBeUpFrom
    : Infinity

/** That it may be up does not show that it is. */
export const isMayBeUp = ({ rule, because: [first] }: Verdict): boolean =>
  rule === 'doubt' && first?.type === 'sign' && first.state.kind === 'idle'
