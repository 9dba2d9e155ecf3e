/**
 * Which turn a piece of news belongs to. Late, doubled and reordered events are sorted out here, so that the end of
 * one turn never ends another.
 */

import type { Instant, State } from '../state.ts'
import type { News, Source, TurnId } from './signal.ts'

export type Turn = { readonly id?: TurnId; readonly startedAt: Instant }

export type Turns = {
  readonly open: Turn | undefined
  /** How many turns have begun. */
  readonly count: number
  /** Ids of turns that are over, the newest last. */
  readonly closed: readonly TurnId[]
  readonly lastStart: Instant
  /** That start was reported (a prompt was taken), not inferred from a turn that was under way already. */
  readonly isStartReported: boolean
  readonly lastEnd: Instant
  /** The turn that ended last had no name: it may be the one that late news name. */
  readonly endedUnnamed: boolean
  /** The turn that the start of another ended: its own end was not reported. */
  readonly overtaken: TurnId | undefined
  /** By source, the number of the newest turn that it reported the start of. */
  readonly toldBy: { readonly [S in Source]?: number }
}

/** Before every instant, and still a number in JSON: sessions cross sockets. */
export const never = Number.MIN_SAFE_INTEGER

export const noTurns: Turns = {
  open: undefined,
  count: 0,
  closed: [],
  lastStart: never,
  isStartReported: false,
  lastEnd: never,
  endedUnnamed: false,
  overtaken: undefined,
  toldBy: {},
}

/** Two sources report one start within this time: the slowest took 1.5 s (docs/research/agents.md#latency). */
const sameStartMs = 2000
/** Two sources report one end, by clocks of their own, within this time. */
const sameEndMs = 300
/** How late a source may report a turn's start: more than any was late in a fault run (bench/faults.ts). */
const lateStartMs = 10_000
/** Turns remembered as closed. More than any measured source was late, and it bounds a session's memory. */
const closedKept = 16

export const endsTurn = ({ kind }: State): boolean => kind === 'idle' || kind === 'exited'

/** The turns after this news, or undefined where it is news of the past. */
export function passGate(turns: Turns, news: News): Turns | undefined {
  if (news.state.kind === 'unknown') return turns
  const ends = endsTurn(news.state)
  if (news.turn !== undefined && turns.open?.id !== news.turn && turns.closed.includes(news.turn)) {
    return mayReopen(turns, news) || isOvertaken(turns, news) ? reopen(turns, news) : undefined
  }
  if (!turns.open) return ends ? endWithoutStart(turns, news) : openWithoutTurn(turns, news)
  const open = turns.open
  if (isStartOf(open, news)) return confirmed(turns, open, news)
  if (isOlder(open, news)) return undefined
  if (ends && (isOther(open, news) || isOfTurnBefore(turns, news))) return undefined
  if (isLateStart(turns, open, news)) return confirmed(turns, { ...open, startedAt: news.at }, news)
  if (ends) return end(turns, news)
  if (news.starts) return begin(turns, news)
  if (news.turn === undefined || news.turn === open.id) return turns
  return open.id === undefined ? { ...turns, open: { ...open, id: news.turn } } : begin(turns, news)
}

/** Opens a turn that only signs tell of: the hooks are dead, or the CLI has none. */
export function openBySign(turns: Turns, at: Instant): Turns {
  return { ...turns, open: { startedAt: at }, count: turns.count + 1, lastStart: at, isStartReported: false }
}

/** Both turns are remembered, and `turn` began after `other`. */
export function isOfLaterTurn(
  { open, closed }: Turns,
  turn: TurnId | undefined,
  other: TurnId | undefined,
): boolean {
  if (turn === undefined || other === undefined) return false
  const placeOf = (id: TurnId): number => (id === open?.id ? closed.length : closed.lastIndexOf(id))
  const place = placeOf(other)
  return place >= 0 && placeOf(turn) > place
}

/** Another witness of the open turn's start, whichever of them knew the id. */
function isStartOf(open: Turn, news: News): boolean {
  if (!news.starts) return false
  if (news.turn !== undefined && open.id !== undefined) return news.turn === open.id
  return Math.abs(news.at - open.startedAt) <= sameStartMs
}

function confirmed(turns: Turns, open: Turn, news: News): Turns {
  // Work that was reported before this turn began was late, and of another turn.
  const isEarly = !turns.isStartReported && news.at > open.startedAt
  const toldBy = { ...(isEarly ? before(turns) : turns.toldBy), [news.source]: turns.count }
  // What a look has opened began before that look: its end may be reported with a time between the two.
  const startedAt = turns.isStartReported ? open.startedAt : Math.min(open.startedAt, news.at)
  return { ...turns, open: { ...open, startedAt, ...named(news) }, isStartReported: true, toldBy }
}

const before = ({ toldBy, count }: Turns): Turns['toldBy'] =>
  Object.fromEntries(Object.entries(toldBy).map(([source, turn]) => [source, Math.min(turn, count - 1)]))

/** Without an id and a stamp only a source's order helps: if it has not reported this turn yet, it ends an earlier one. */
const isOfTurnBefore = ({ toldBy, count }: Turns, news: News): boolean =>
  isBare(news) && (toldBy[news.source] ?? count) < count

const isLateStart = ({ toldBy, count }: Turns, open: Turn, news: News): boolean =>
  news.starts === true &&
  isBare(news) &&
  toldBy[news.source] !== count &&
  news.at <= open.startedAt + lateStartMs

/** Only its arrival shows which turn it belongs to. */
const isBare = (news: News): boolean => news.turn === undefined && news.at === news.seen

const isOlder = (open: Turn, news: News): boolean =>
  news.at < open.startedAt && (news.turn === undefined || news.turn !== open.id)

/**
 * A turn's end closes only the turn it names: a hidden title thread ends 0.1 s into each turn
 * (docs/research/agents.md#trap-3).
 */
const isOther = (open: Turn, news: News): boolean =>
  news.turn !== undefined && open.id !== undefined && news.turn !== open.id

function openWithoutTurn(turns: Turns, news: News): Turns | undefined {
  if (news.state.kind === 'starting') return turns
  if (turns.count === 0 || (news.turn !== undefined && !turns.endedUnnamed)) return begin(turns, news)
  if (news.starts) return isEndedStart(turns, news) ? undefined : begin(turns, news)
  if (mayReopen(turns, news)) return reopen(turns, news)
  return news.turn === undefined && news.at > turns.lastEnd + sameStartMs ? begin(turns, news) : undefined
}

/** A start that another source reported before the turn ended. */
const isEndedStart = (turns: Turns, news: News): boolean => news.at < turns.lastEnd

/** The turns, where news of the past have named one of them that is over. */
export function namedPast(turns: Turns, { turn, starts, at, state }: News): Turns {
  if (turn !== undefined && turn === turns.overtaken && endsTurn(state))
    return { ...turns, overtaken: undefined }
  if (turn === undefined || turns.closed.includes(turn) || turn === turns.open?.id) return turns
  const closed = withClosed(turns.closed, turn)
  if (starts && at <= turns.lastEnd) return { ...turns, closed }
  return endsTurn(state) && !turns.open && turns.endedUnnamed
    ? { ...turns, closed, endedUnnamed: false }
    : turns
}

function endWithoutStart(turns: Turns, news: News): Turns {
  return {
    ...turns,
    count: news.turn === undefined ? turns.count : turns.count + 1,
    closed: withClosed(turns.closed, news.turn),
    lastEnd: Math.max(turns.lastEnd, news.at),
  }
}

/** The start of the other turn was reported late: this turn began after it, and goes on. */
const isOvertaken = (turns: Turns, news: News): boolean =>
  !turns.open && news.starts === true && news.turn === turns.overtaken

function mayReopen(turns: Turns, news: News): boolean {
  if (!news.reopens || turns.open) return false
  return news.at > turns.lastEnd + sameEndMs
}

const named = (news: News): { id: TurnId } | object => (news.turn === undefined ? {} : { id: news.turn })

const withClosed = (closed: readonly TurnId[], id: TurnId | undefined): readonly TurnId[] =>
  id === undefined || closed.includes(id) ? closed : closed.slice(1 - closedKept).concat(id)

function begin(turns: Turns, news: News): Turns {
  return {
    ...turns,
    open: { startedAt: news.at, ...named(news) },
    count: turns.count + 1,
    closed: withClosed(turns.closed, turns.open?.id),
    overtaken: turns.open?.id,
    lastStart: news.at,
    isStartReported: news.starts === true,
    toldBy: Object.assign({}, turns.toldBy, { [news.source]: turns.count + 1 }),
    lastEnd: turns.open ? news.at : turns.lastEnd,
  }
}

function reopen(turns: Turns, news: News): Turns {
  const closed = turns.closed.filter(id => id !== news.turn)
  return { ...turns, open: { startedAt: news.at, ...named(news) }, closed, overtaken: undefined }
}

function end(turns: Turns, news: News): Turns {
  const { open } = turns
  const closed = withClosed(withClosed(turns.closed, open?.id), news.turn)
  const endedUnnamed = open?.id === undefined && news.turn === undefined
  return { ...turns, open: undefined, closed, lastEnd: Math.max(turns.lastEnd, news.at), endedUnnamed }
}
