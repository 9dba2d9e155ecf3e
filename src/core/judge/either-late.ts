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
 * Until when a sign that is busy after the end of a turn may still show that turn: as long as a source may be late, and
 * without limit if the sign has not changed since the end. Work that answers an Enter after the end is a new turn, and so
 * is work after a mere start.
 */
export function lateWorkUntil({ answers }: Session, sign: Sign, news: News): Instant {
  // Work beside a turn is shown once the turn is over.
  if (sign.state.kind === 'working' && sign.state.doing === 'background') return -Infinity
  const isTurnEnd = news.state.kind === 'idle' && news.onlyFrom === undefined
  if (!isTurnEnd || news.allows?.includes(sign.state.kind)) return -Infinity
  const answered = answers[sign.source]?.press
  if (answered !== undefined && answered > news.at) return -Infinity
  const latest = news.at + latestMs
  if (sign.seen > latest) return -Infinity
  return sign.since > news.at ? latest : Infinity
}

/** From when on a sign makes what is reported uncertain; Infinity where it does not. */
export const uncertainFrom = (session: Session, held: TrackedStatus, best: Best): Instant =>
  Math.min(mayBeUpFrom(held.sign, best), mayGoOnFrom(held.sign, best), deniedFrom(session, held, best))

/**
 * From when on a sign makes reported work uncertain: the sign showed the turn of the newest Enter as busy, and then as
 * over. News of work within the lag of a source may belong to the turn that is over, or to a next turn that the sign has
 * not shown yet.
 */
function deniedFrom(session: Session, held: TrackedStatus, best: Best): Instant {
  const { sign } = held
  if (hasShownEnd(session, sign, best)) return best.newest + sign.lag + 1
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

function hasShownEnd({ presses, answers }: Session, sign: Sign, { news, newest }: Best): boolean {
  const prompt = newestPrompt(presses)
  if (!news || !denies(sign, news) || !prompt || newest > sign.since + latestMs) return false
  return (answers[sign.source]?.press ?? -Infinity) >= prompt.at
}

/**
 * From when on a reported end is in doubt: its agent may go on after it, and its screen is still drawn. Whether it does is shown by
 * its process (track/goes-on.ts).
 */
const mayGoOnFrom = (sign: Sign, { news }: Best): Instant =>
  news && mayGoOn(news) && sign.source === 'screen' ? news.at : Infinity

/** Copilot CLI 1.0.102 reports the end of a conversation (`/clear`) as it reports its own end. */
export const mayGoOn = ({ state, allows }: News): boolean =>
  state.kind === 'exited' && allows?.includes('starting') === true

/** From when on a program that calls itself idle may be up, though that has not settled. */
const mayBeUpFrom = (sign: Sign, { news }: Best): Instant =>
  news?.state.kind === 'starting' && sign.state.kind === 'idle' && sign.mayBeUpFrom !== undefined
    ? sign.since + sign.mayBeUpFrom
    : Infinity

/** That it may be up does not show that it is. */
export const isMayBeUp = ({ rule, because: [first] }: Verdict): boolean =>
  rule === 'doubt' && first?.type === 'sign' && first.state.kind === 'idle'
