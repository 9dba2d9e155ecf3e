/** What `compare` of bench:day does not measure: how soon verdicts turn, how long one is idle that is busy, waits that nobody saw. Pure. */
import { right, type Said } from '../day/compare.ts'
import type { Span, Truth } from '../day/truth.ts'

type Stretch = { readonly from: number; readonly to: number; readonly situation: string; readonly said: Said }

const busy: readonly Truth[] = ['working', 'asking', 'waiting']

/** Spans of one truth, whatever the situation is called. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last?.truth === span.truth) result[result.length - 1] = { ...last, to: span.to }
    else result.push(span)
  }
  return result
}

const saidAt = (said: readonly Said[], at: number): Said | undefined => said.findLast(entry => entry.at <= at)

/** From the truth's turn to the verdict, ms: where the instant of the turn is known, and the verdict came. */
export function latencies(spans: readonly Span[], said: readonly Said[]): number[] {
  const all = joined(spans)
  return all.flatMap((span, index) => {
    const before = all[index - 1]
    const isKnown = before !== undefined && before.truth !== 'open' && span.truth !== 'open'
    if (!isKnown || span.truth === 'asking' || span.truth === 'background') return []
    const fits = (entry: Said | undefined): boolean =>
      entry !== undefined && right[span.truth].includes(entry.kind)
    if (fits(saidAt(said, span.from))) return [0]
    const first = said.find(entry => entry.at > span.from && entry.at < span.to && fits(entry))
    return first ? [first.at - span.from] : []
  })
}

/** Idle, while it works or waits, for longer than `least` in one piece, ms; nothing is forgiven. */
export function falseIdles(spans: readonly Span[], said: readonly Said[], least: number): Stretch[] {
  const stretches: Stretch[] = []
  for (const span of spans) {
    if (!busy.includes(span.truth)) continue
    for (const [index, entry] of said.entries()) {
      if (entry.kind !== 'idle') continue
      const from = Math.max(span.from, entry.at)
      const to = Math.min(span.to, said[index + 1]?.at ?? Number.POSITIVE_INFINITY)
      if (to <= from) continue
      const last = stretches.at(-1)
      if (last && last.to === from) stretches[stretches.length - 1] = { ...last, to }
      else stretches.push({ from, to, situation: span.situation, said: entry })
    }
  }
  return stretches.filter(({ from, to }) => to - from > least)
}

/** Dialogs that stood for as long as a person takes, and were never called so. */
export function missedWaits(spans: readonly Span[], said: readonly Said[], least: number): Stretch[] {
  return joined(spans).flatMap(({ truth, from, to, situation }) => {
    if (truth !== 'waiting' || to - from < least) return []
    const within = said.filter(entry => entry.at > from && entry.at < to)
    const before = saidAt(said, from)
    const all = before ? [before, ...within] : within
    if (all.some(({ kind }) => kind === 'waiting')) return []
    const last = all.at(-1)
    return last ? [{ from, to, situation, said: last }] : []
  })
}
