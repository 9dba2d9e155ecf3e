/** Files news: into the turn that they belong to, and into their lane. */

import type { Draft, Session } from '../session.ts'
import type { Instant } from '../state.ts'
import {
  boundLanes,
  endLanes,
  heaviestLane,
  isApart,
  isOfPastDialog,
  joined,
  startTurn,
  withPastDialogs,
  withTurn,
  witnesses,
} from './lanes.ts'
import { answer } from './presses.ts'
import type { News } from './signal.ts'
import { endsTurn, namedPast, passGate, type Turns } from './turns.ts'

export function fileNews(session: Draft, news: News): void {
  if (news.lane === 'queue' || (news.starts && news.lane === 'main'))
    answer(session, news.source, news.at, news.starts ? news.turn : undefined)
  const { lanes, turns } = session
  const kind = lanes[news.lane]?.news.state.kind ?? 'unknown'
  if (isOvertaken(session, news) || isOfPastDialog(session, news)) confirm(session, news)
  else if (!news.onlyFrom || news.onlyFrom.includes(kind)) {
    const next = isApart(news.lane) || news.onlyFrom ? turns : passGate(turns, news)
    if (next && !isReportedAgain(session, news)) fileInLane(session, news, next)
    else {
      session.turns = namedPast(turns, news)
      confirm(session, news)
      endBeside(session, news)
    }
  }
}

/** What goes on beside the turns is no part of them: it ends, whichever turn the news of its end name. */
function endBeside(session: Draft, news: News): void {
  if (!news.ends) return
  const lanes = endLanes(session.lanes, { ...news, ends: news.ends.filter(isApart) }, false, session.turns)
  if (lanes === session.lanes) return
  session.pastDialogs = withPastDialogs(session, lanes, news.at)
  session.lanes = lanes
  noteKind(session, news.at)
}

function fileInLane(session: Draft, reported: News, turns: Turns): void {
  const news = withTurn(reported, session.lanes[reported.lane], turns)
  const { count, open } = session.turns
  const ended = news.lane === 'main' && endsTurn(news.state)
  let { lanes } = session
  if (news.ends || ended) lanes = endLanes(lanes, news, ended, turns)
  // An open turn takes the result itself, and who was not known to run has none.
  const isOwed = news.lane !== 'wake' || (!open && lanes !== session.lanes)
  if (turns.open && turns.open !== open) lanes = startTurn(lanes, turns.open.startedAt)
  if (lanes !== session.lanes) session.pastDialogs = withPastDialogs(session, lanes, news.at)
  if (news.state.kind !== 'unknown' && isOwed) {
    const old = lanes[news.lane]
    // News that begin a turn or end it replace all that came before, whatever its stamp.
    const isTurn = ended || turns.count > count
    const isNewest = !old || isTurn || (news.at >= old.news.at && !isEcho(session, old.news, news, turns))
    const claim = isNewest ? { news, by: witnesses(news, old) } : joined(old, news)
    if (claim !== old) lanes = boundLanes({ ...lanes, [news.lane]: claim }, session.now)
  }
  session.turns = turns
  session.lanes = lanes
  noteKind(session, news.at)
}

/** News that happened no later than now, in one of two shapes (see `signAt`): few have what the second one adds. */
export function newsAt(news: News, now: Instant): News {
  const at = news.at > now ? now : news.at
  if (isPlain(news))
    return {
      type: news.type,
      source: news.source,
      what: news.what,
      lane: news.lane,
      turn: news.turn,
      state: news.state,
      starts: news.starts,
      reopens: news.reopens,
      ends: news.ends,
      at,
      seen: news.seen,
    }
  return {
    type: news.type,
    source: news.source,
    what: news.what,
    lane: news.lane,
    turn: news.turn,
    state: news.state,
    allows: news.allows,
    starts: news.starts,
    onlyFrom: news.onlyFrom,
    reopens: news.reopens,
    outlasts: news.outlasts,
    background: news.background,
    ends: news.ends,
    hold: news.hold,
    asks: news.asks,
    limit: news.limit,
    at,
    seen: news.seen,
  }
}

const isPlain = ({ allows, onlyFrom, outlasts, background, hold, asks, limit }: News): boolean =>
  (allows ?? onlyFrom ?? outlasts ?? background ?? hold ?? asks ?? limit) === undefined

/** Notes since when the news, all of them together, report this kind. */
export function noteKind(session: Draft, at: Instant): void {
  const kind = heaviestLane(session, session.now).news?.state.kind ?? 'unknown'
  const { kindByNews: before } = session
  if (kind === before.kind) return
  const waitedUntil = before.kind === 'waiting' ? at : before.waitedUntil
  session.kindByNews = { kind, since: at, ...(waitedUntil === undefined ? {} : { waitedUntil }) }
}

/** Two sources, or two events of one, report one end within this time. */
const sameIdleMs = 2000

/** The end of a turn that is over: however late and often it is reported, it changes nothing. */
function isReportedAgain({ turns, lanes }: Session, news: News): boolean {
  if (turns.open || turns.count === 0 || isApart(news.lane) || news.onlyFrom) return false
  if (news.state.kind !== 'idle' || lanes.main?.news.state.kind !== 'idle') return false
  return news.turn === undefined || turns.endedUnnamed === true
}

/**
 * A claim that expires does not take the place of one that another source holds, and will end, of the same turn; but for the
 * screen's, which shows that nobody may tell the end of that.
 */
function isEcho(session: Session, old: News, news: News, turns: Turns): boolean {
  if (news.hold === undefined || old.hold !== undefined) return false
  if (news.source === old.source || news.source === 'screen') return false
  return news.state.kind === old.state.kind && turns.count === session.turns.count && turns.open !== undefined
}

/** What was before the session's last end; and an end that other news have overtaken, by the clock of who stamped both. */
function isOvertaken(session: Session, news: News): boolean {
  const old = session.lanes.main?.news
  if (!old || news.lane !== 'main') return false
  // Its end is taken back by a start alone.
  if (old.state.kind === 'exited') return news.at < old.at
  if (news.state.kind !== 'idle' || old.state.kind === 'idle') return false
  return news.at < old.at && old.at < old.seen
}

function isOtherEnd(old: News, news: News): boolean {
  if (old.state.kind !== 'idle' || news.state.kind !== 'idle') return false
  if (old.turn !== undefined && news.turn !== undefined) return old.turn !== news.turn
  return Math.abs(news.at - old.at) > sameIdleMs
}

/** News of the past change nothing, but a second source that reports the same end is a witness. */
function confirm(session: Draft, news: News): void {
  const old = session.lanes[news.lane]
  if (!old || isOtherEnd(old.news, news)) return
  const next = joined(old, news)
  if (next !== old) session.lanes = { ...session.lanes, [news.lane]: next }
}
