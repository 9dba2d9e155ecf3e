/** The lanes of a session: which is heaviest now, when each expires, what ends them. */

import type { Claim, PastDialog, Session } from '../session.ts'
import { type IdleAfter, type Instant, weight } from '../state.ts'
import { channel, type News, type Source } from './signal.ts'
import { isOfLaterTurn, type Turns } from './turns.ts'

/**
 * A queued prompt is taken up within 0.13 s of the turn's end (docs/research/agents.md#trap-2); after this long it was
 * taken back.
 */
const queueMs = 3000
type Lanes = Session['lanes']

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

/** Some dialog is open, and its kind is not known. */
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
export function boundLanes(lanes: Lanes, now: Instant): Lanes {
  if (Object.keys(lanes).length <= mostLanes) return lanes
  const isOver = ({ news }: Claim) => news.hold !== undefined && now >= news.at + news.hold
  const living = withoutLanes(lanes, (lane, claim) => lane !== 'main' && isOver(claim))
  const names = Object.keys(living)
  if (names.length <= mostLanes) return living
  const isLess = (a: News, b: News) => weight[a.state.kind] - weight[b.state.kind] || a.at - b.at
  const least = names
    .filter(lane => lane !== 'main')
    .reduce((a, b) => (isLess((living[b] as Claim).news, (living[a] as Claim).news) < 0 ? b : a))
  return withoutLanes(living, lane => lane === least)
}

/** The lanes that this event does not end. It ends none that is newer than it, and none that a later turn began. */
export function endLanes(lanes: Lanes, news: News, turnEnded: boolean, turns: Turns): Lanes {
  const isCovered = (lane: string) =>
    news.ends?.some(p => (p.endsWith('*') ? lane.startsWith(p.slice(0, -1)) : lane === p)) ||
    (turnEnded && lane.startsWith('ask:main:'))
  return withoutLanes(
    lanes,
    (lane, { news: own }) =>
      own.at <= news.at && isCovered(lane) && !isOfLaterTurn(turns, own.turn, news.turn),
  )
}

/** News of what goes on beside the turns, with the turn that began it: a late event of an earlier turn ends none of it. */
export const withTurn = (news: News, old: Claim | undefined, { open, closed, endedUnnamed }: Turns): News => {
  if (news.turn !== undefined || !isApart(news.lane)) return news
  const now = open ? open.id : endedUnnamed ? undefined : closed.at(-1)
  const turn = old ? old.news.turn : now
  return turn === undefined ? news : { ...news, turn }
}

/** Dialogs remembered as over. A late source reports one or two (OpenCode's log is 1 s late). The limit bounds memory. */
const pastKept = 16

/** The past dialogs, once of the session's lanes only these are left. */
export function withPastDialogs(session: Session, left: Lanes, endedAt: Instant): readonly PastDialog[] {
  let past = session.pastDialogs
  for (const lane in session.lanes)
    if (lane.startsWith('ask:') && !left[lane])
      past = [...past.filter(one => one.lane !== lane).slice(1 - pastKept), { lane, endedAt }]
  return past
}

/** News from before a dialog's end: another source reported that end first. */
export const isOfPastDialog = ({ pastDialogs }: Session, { lane, state, at }: News): boolean =>
  state.kind === 'waiting' && pastDialogs.some(past => past.lane === lane && at < past.endedAt)

/** The lanes of a new turn: the old one's dialogs, the queued prompt and the wake that was due belong to the past. */
export const startTurn = (lanes: Lanes, startedAt: Instant): Lanes =>
  withoutLanes(lanes, (lane, { news }) =>
    lane === 'wake'
      ? news.at <= startedAt
      : (lane === 'queue' || lane.startsWith('ask:main:')) && news.at < startedAt,
  )

/** A copy that leaves some out: V8 keeps an object of which properties were deleted as a table, slow and large. */
function withoutLanes(lanes: Lanes, isLeftOut: (lane: string, claim: Claim) => boolean): Lanes {
  const left: Record<string, Claim> = {}
  let isSame = true
  for (const lane in lanes) {
    const claim = lanes[lane] as Claim
    if (isLeftOut(lane, claim)) isSame = false
    else left[lane] = claim
  }
  return isSame ? lanes : left
}

/** Subagents, their dialogs and background tasks live by their own ids, whatever becomes of the turn; so does their wake. */
export const isApart = (lane: string): boolean =>
  lane.startsWith('sub:') ||
  lane.startsWith('bg:') ||
  lane === 'wake' ||
  (lane.startsWith('ask:') && !lane.startsWith('ask:main:'))

/** One list for each source that reports alone: most claims have one. */
const alone = Object.fromEntries(
  Object.keys(channel).map(source => [source, [source]]),
) as unknown as Readonly<Record<Source, readonly Source[]>>

/** Sources that report the same state of the same turn as `news`. */
export function witnesses(
  news: News,
  other: Claim | undefined,
  by: readonly Source[] = alone[news.source],
): readonly Source[] {
  if (!other || other.news.state.kind !== news.state.kind || other.news.turn !== news.turn) return by
  const added = other.by.filter(source => !by.includes(source))
  return added.length === 0 ? by : by.concat(added).sort()
}

/** A claim that a second source has confirmed. */
export function joined(old: Claim, news: News): Claim {
  const by = witnesses(old.news, { news, by: alone[news.source] }, old.by)
  const richer = fullerEnd(old.news, news)
  return by === old.by && richer === old.news ? old : { news: richer, by }
}

/** Of one end, what only the second source knew: that it was broken off, the limit, the question. */
function fullerEnd(old: News, next: News): News {
  if (old.state.kind !== 'idle' || next.state.kind !== 'idle') return old
  const state = fullness(next.state.after) > fullness(old.state.after) ? next.state : old.state
  const limit = old.limit?.until === undefined ? (next.limit ?? old.limit) : old.limit
  const asks = old.asks ?? next.asks
  if (state === old.state && limit === old.limit && asks === old.asks) return old
  return { ...old, state, ...(limit ? { limit } : {}), ...(asks === undefined ? {} : { asks }) }
}

/** An interrupt causes errors, too: the interrupt is the cause. */
const fullestLast: readonly IdleAfter[] = ['turn', 'error', 'interrupt', 'limit']
const fullness = (after: IdleAfter = 'turn'): number => fullestLast.indexOf(after)
