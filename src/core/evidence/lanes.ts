/** The lanes of a session: which is heaviest now, when each expires, what ends them. */
import type { Claim, Session } from '../session.ts'
import { type Instant, weight } from '../state.ts'
import type { News } from './signal.ts'

/**
 * A queued prompt is taken up within 0.13 s of the turn's end (docs/research/agents.md#trap-2); after this long it was
 * taken back.
 */
const queueMs = 3000
export type Best = {
  readonly news?: News
  readonly claim?: Claim
  readonly newest: Instant
  readonly recheckAt: Instant
}

/** The heaviest live lane; `newest` is the instant of the latest news of any live lane. */
export function heaviestLane(session: Session, now: Instant): Best {
  let claim: Claim | undefined
  let newest = -Infinity
  let recheckAt = Infinity
  for (const lane in session.lanes) {
    const next = session.lanes[lane] as Claim
    const until = expiry(session, next.news)
    if (now >= until) continue
    recheckAt = Math.min(recheckAt, until)
    const { news } = next
    if (news.at > newest) newest = news.at
    if (!claim || outranks(news, claim.news)) claim = next
  }
  return claim ? { news: claim.news, claim, newest, recheckAt } : { newest, recheckAt }
}

function outranks(a: News, b: News): boolean {
  const difference = weight[a.state.kind] - weight[b.state.kind]
  if (difference !== 0) return difference > 0
  if (a.state.kind === 'waiting' && isVague(a) !== isVague(b)) return isVague(b)
  if (a.lane === 'main' || b.lane === 'main') return a.lane === 'main'
  return a.at === b.at ? a.lane < b.lane : a.at > b.at
}

/** Some dialog is open, nobody said which. */
const isVague = (news: News): boolean => news.state.kind === 'waiting' && news.state.for === 'dialog'

/** The instant from which a claim counts no more. */
export function expiry(session: Session, news: News): Instant {
  if (news.lane === 'queue' && news.hold === undefined)
    return session.turns.open ? Infinity : session.turns.lastEnd + queueMs
  return news.hold === undefined ? Infinity : news.at + news.hold
}

/** More lanes than any session has at once. What never ends is forgotten: work before dialogs, the oldest first. */
const mostLanes = 64

/** Keeps a session's memory bounded, whatever ids its agent invents. */
export function boundLanes(lanes: Record<string, Claim>, now: Instant): void {
  if (Object.keys(lanes).length <= mostLanes) return
  for (const lane of Object.keys(lanes)) {
    const { news } = lanes[lane] as Claim
    if (lane !== 'main' && news.hold !== undefined && now >= news.at + news.hold) delete lanes[lane]
  }
  const names = Object.keys(lanes)
  if (names.length <= mostLanes) return
  const isLess = (a: News, b: News) => weight[a.state.kind] - weight[b.state.kind] || a.at - b.at
  const least = names
    .filter(lane => lane !== 'main')
    .reduce((a, b) => (isLess((lanes[b] as Claim).news, (lanes[a] as Claim).news) < 0 ? b : a))
  delete lanes[least]
}

/** Deletes the lanes that this event ends, where they are not newer than it. */
export function endLanes(lanes: Record<string, Claim>, news: News, turnEnded: boolean): void {
  for (const lane of Object.keys(lanes)) {
    const covered = news.ends?.some(p => (p.endsWith('*') ? lane.startsWith(p.slice(0, -1)) : lane === p))
    if (!covered && !(turnEnded && lane.startsWith('ask:main:'))) continue
    const claim = (lanes[lane] as Claim).news
    if (claim.at <= news.at) delete lanes[lane]
  }
}

/** A new turn: the old one's dialogs and the queued prompt belong to the past. */
export function startTurn(lanes: Record<string, Claim>, startedAt: Instant): void {
  for (const lane of Object.keys(lanes)) {
    const stale = lane === 'queue' || lane.startsWith('ask:main:')
    if (stale && (lanes[lane] as Claim).news.at < startedAt) delete lanes[lane]
  }
}
