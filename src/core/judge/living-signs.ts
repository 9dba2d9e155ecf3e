/** The signs that live: which of them may decide, in their order, and what they say where none can. */
import type { Best } from '../evidence/lanes.ts'
import { type News, type Sign, tierRank } from '../evidence/signal.ts'
import type { Session, TrackedStatus } from '../session.ts'
import { type Instant, weight } from '../state.ts'

/**
 * Living signs that may decide, the highest tier first, of equal ones the newest. What is inferred only casts doubt on news;
 * where there are no news, as of a terminal, it is the only evidence.
 */
export function rankedSigns(
  session: Session,
  { news, recheckAt }: Best,
  now: Instant,
): { held: TrackedStatus[]; recheckAt: Instant } {
  const held: TrackedStatus[] = []
  let recheck = recheckAt
  for (const source in session.signs) {
    const next = session.signs[source] as TrackedStatus
    const { sign } = next
    if (!sign.alive || sign.state.kind === 'unknown') continue
    if (sign.tier === 'inferred' && (news || sign.excludes.length === 0)) continue
    if (sign.hold !== undefined) {
      if (now >= sign.seen + sign.hold) continue
      recheck = Math.min(recheck, sign.seen + sign.hold)
    }
    held.push(next)
  }
  if (held.length > 1) held.sort(byRank)
  return { held, recheckAt: recheck }
}

function byRank(a: TrackedStatus, b: TrackedStatus): number {
  const tier = tierRank[b.sign.tier] - tierRank[a.sign.tier]
  if (tier !== 0) return tier
  if (a.sign.since !== b.sign.since) return b.sign.since - a.sign.since
  return a.sign.source < b.sign.source ? -1 : 1
}

/** The first status of the kind that the news have. One that shows a retry after them comes first: the others do not see it. */
export function agreeing(news: News, signs: readonly TrackedStatus[]): Sign | undefined {
  let first: Sign | undefined
  for (const { sign, onProbation } of signs) {
    if (onProbation || sign.state.kind !== news.state.kind) continue
    const isRetry = sign.state.kind === 'working' && sign.state.doing === 'retrying'
    if (isRetry && sign.since > news.at) return sign
    first ??= sign
  }
  return first
}

/**
 * Idleness that a source reported once, before the screen began to show work: the screen is read again and again, the source
 * may be gone.
 */
export const isOutdated = ({ state, source, seen }: Sign, signs: readonly TrackedStatus[]): boolean =>
  state.kind === 'idle' &&
  source !== 'screen' &&
  signs.some(
    ({ sign, onProbation }) =>
      sign.source === 'screen' && !onProbation && weight[sign.state.kind] > weight.idle && sign.since > seen,
  )

/** The screen or the kernel shows the state of the verdict. Reports alone may be about something that is over at once. */
export const isObserved = ({ verdict, signs, now }: Session): boolean =>
  Object.values(signs).some(
    ({ sign: { tier, state, alive, seen, hold = Infinity } }) =>
      alive &&
      (tier === 'seen' || tier === 'proven') &&
      state.kind === verdict.state.kind &&
      now < seen + hold,
  )

/** Living sources that report `unknown`, with the reason. */
export const whyUnknown = ({ signs }: Session): readonly Sign[] =>
  Object.values(signs).flatMap(({ sign }) => (sign.alive && sign.state.kind === 'unknown' ? [sign] : []))
