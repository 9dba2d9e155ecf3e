/** Past states as stretches of time, for a drawing of so many pixels. */
type Past = { readonly state?: unknown }

export type Stretch<P extends Past> = {
  /** ms since the epoch, or from the start of a recording */
  readonly from: number
  readonly to: number
  readonly past: P
}

/** The states by which a timeline is coloured, the one that matters most first: where several fall on one pixel, it is shown. */
const weights = ['waiting', 'exited', 'unknown', 'working', 'starting', 'idle']
const weightOf = ({ state }: Past): number => weights.indexOf(String(state))

/**
 * @param entries of one session, the oldest first
 * @param atOf ms
 * @param span ms
 * @param width pixels
 */
export function stretchesOf<P extends Past>(
  entries: readonly P[],
  atOf: (past: P) => number,
  span: { readonly from: number; readonly to: number },
  width: number,
): readonly Stretch<P>[] {
  const least = (span.to - span.from) / Math.max(1, width)
  const all: Stretch<P>[] = []
  for (const [at, past] of entries.entries()) {
    const from = Math.max(span.from, atOf(past))
    const next = entries[at + 1]
    const to = Math.min(span.to, next === undefined ? (past.state === 'exited' ? from : span.to) : atOf(next))
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
export function sums(stretches: readonly Stretch<Past>[]): readonly (readonly [string, number])[] {
  const all = new Map<string, number>()
  for (const { from, to, past } of stretches)
    all.set(String(past.state), (all.get(String(past.state)) ?? 0) + to - from)
  return [...all].toSorted(([, a], [, b]) => b - a)
}
