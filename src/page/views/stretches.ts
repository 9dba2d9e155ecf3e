/** Past states as stretches of time, for a drawing of so many pixels. */
import type { PastEntry } from '../types.ts'

export type Stretch = {
  /** ms since the epoch */
  readonly from: number
  readonly to: number
  readonly past: PastEntry
}

/** The states by which a timeline is coloured, the one that matters most first: where several fall on one pixel, it is shown. */
const weights = ['waiting', 'exited', 'unknown', 'working', 'starting', 'idle']
const weightOf = ({ state }: PastEntry): number => weights.indexOf(String(state))

/**
 * @param entries of one session, the oldest first
 * @param span ms since the epoch
 * @param width pixels
 */
export function stretchesOf(
  entries: readonly PastEntry[],
  span: { readonly from: number; readonly to: number },
  width: number,
): readonly Stretch[] {
  const least = (span.to - span.from) / Math.max(1, width)
  const all: Stretch[] = []
  for (const [at, past] of entries.entries()) {
    const from = Math.max(span.from, Date.parse(past.at))
    const next = entries[at + 1]
    const to = Math.min(
      span.to,
      next === undefined ? (past.state === 'exited' ? from : span.to) : Date.parse(next.at),
    )
    if (to < span.from || from > span.to) continue
    const last = all.at(-1)
    if (last && (last.past.state === past.state || to - last.from < least)) {
      all[all.length - 1] = {
        from: last.from,
        to,
        past: weightOf(past) < weightOf(last.past) ? past : last.past,
      }
    } else all.push({ from, to, past })
  }
  return all
}

/** How long it was in each state in all, the longest first. ms */
export function sums(stretches: readonly Stretch[]): readonly (readonly [string, number])[] {
  const all = new Map<string, number>()
  for (const { from, to, past } of stretches)
    all.set(String(past.state), (all.get(String(past.state)) ?? 0) + to - from)
  return [...all].toSorted(([, a], [, b]) => b - a)
}
