/** A lane's claim: which of two pieces of news stands, and who else said so. */
import type { Claim } from '../session.ts'
import type { IdleAfter } from '../state.ts'
import type { News, Source } from './signal.ts'

/** Subagents, their dialogs and background tasks live by their own ids, whatever becomes of the turn. */
export const isApart = (lane: string): boolean =>
  lane.startsWith('sub:') ||
  lane.startsWith('bg:') ||
  (lane.startsWith('ask:') && !lane.startsWith('ask:main:'))

/** Sources that say what `news` says of the same turn. */
export function witnesses(
  news: News,
  other: Claim | undefined,
  by: readonly Source[] = [news.source],
): readonly Source[] {
  if (!other || other.news.state.kind !== news.state.kind || other.news.turn !== news.turn) return by
  const added = other.by.filter(source => !by.includes(source))
  return added.length === 0 ? by : [...by, ...added].sort()
}

/** A claim that a second source has confirmed. */
export function joined(old: Claim, news: News): Claim {
  const by = witnesses(old.news, { news, by: [news.source] }, old.by)
  const richer = fullerEnd(old.news, news)
  return by === old.by && richer === old.news ? old : { news: richer, by }
}

/** Of one end, what only the second source knew: that it was broken off, the limit, the question. */
function fullerEnd(old: News, next: News): News {
  if (old.state.kind !== 'idle' || next.state.kind !== 'idle') return old
  const says = weight(next.state.after) > weight(old.state.after) ? next.state : old.state
  const limit = old.limit?.until === undefined ? (next.limit ?? old.limit) : old.limit
  const asks = old.asks ?? next.asks
  if (says === old.state && limit === old.limit && asks === old.asks) return old
  return { ...old, state: says, ...(limit ? { limit } : {}), ...(asks === undefined ? {} : { asks }) }
}

/** Who breaks off gets errors, too: that it was broken off tells more. */
const fullness: readonly IdleAfter[] = ['turn', 'error', 'interrupt', 'limit']
const weight = (after: IdleAfter = 'turn'): number => fullness.indexOf(after)
