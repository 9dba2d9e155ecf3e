/** Files news: into the turn that they belong to, and into their lane. */

import type { Claim, Session } from '../session.ts'
import { isApart, joined, witnesses } from './claims.ts'
import { boundLanes, endLanes, heaviestLane, startTurn } from './lanes.ts'
import type { News } from './signal.ts'
import { endsTurn, passGate } from './turns.ts'

export function fileNews(session: Session, news: News): Session {
  if (isOvertaken(session, news)) return confirm(session, news)
  if (news.onlyFrom && !news.onlyFrom.includes(session.lanes[news.lane]?.news.says.kind ?? 'unknown'))
    return session
  const turns = isApart(news.lane) || news.onlyFrom ? session.turns : passGate(session.turns, news)
  if (turns === undefined) return confirm(session, news)
  const lanes: Record<string, Claim> = { ...session.lanes }
  const ended = news.lane === 'main' && endsTurn(news.says)
  if (news.ends || ended) endLanes(lanes, news, ended)
  if (turns.open !== session.turns.open && turns.open) startTurn(lanes, turns.open.startedAt)
  if (news.says.kind === 'unknown') return noteKind({ ...session, turns, lanes }, news)
  const old = lanes[news.lane]
  if (old && isSameEnd(session, old.news, news)) lanes[news.lane] = joined(old, news)
  else if (ended && old && old.news.at > news.at)
    lanes[news.lane] = { news: { ...news, at: old.news.at }, by: [news.source] }
  else if (!old || news.at >= old.news.at) lanes[news.lane] = { news, by: witnesses(news, old) }
  else lanes[news.lane] = joined(old, news)
  boundLanes(lanes, session.now)
  return noteKind({ ...session, turns, lanes }, news)
}

/** Notes since when the news, all of them together, say what they say. */
function noteKind(session: Session, { at }: News): Session {
  const kind = heaviestLane(session, session.now).news?.says.kind ?? 'unknown'
  return kind === session.kindByNews.kind ? session : { ...session, kindByNews: { kind, since: at } }
}

/** Two sources, or two events of one, report one end within this time. */
const sameIdleMs = 2000

/** Another word for an end that is known: it adds a witness and takes nothing back. */
function isSameEnd({ turns }: Session, old: News, news: News): boolean {
  if (turns.open || old.says.kind !== 'idle' || news.says.kind !== 'idle' || news.onlyFrom) return false
  if (news.turn !== undefined && old.turn !== undefined && news.turn !== old.turn) return false
  return turns.count > 0 && Math.abs(news.at - old.at) <= sameIdleMs
}

/** An end that other news have overtaken, by the clock of the programs that stamped both. */
function isOvertaken(session: Session, news: News): boolean {
  const old = session.lanes.main?.news
  if (!old || news.lane !== 'main' || news.says.kind !== 'idle' || old.says.kind === 'idle') return false
  return news.at < old.at && old.at < old.seen
}

/** News of the past change nothing, but a second source that tells of the same end is a witness. */
function confirm(session: Session, news: News): Session {
  const old = session.lanes[news.lane]
  if (!old) return session
  const next = joined(old, news)
  return next === old ? session : { ...session, lanes: { ...session.lanes, [news.lane]: next } }
}
