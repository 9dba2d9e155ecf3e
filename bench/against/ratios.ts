/** Two commits in figures: each was measured once a turn. Pure. */
import { median } from '../median.ts'
import type { figuresOf } from './benches.ts'

type Figures = NonNullable<ReturnType<typeof figuresOf>>
export type Turn = { readonly ours: Figures; readonly ref: Figures }

export type Ratio = {
  readonly name: string
  readonly ours: number
  readonly ref: number
  /** Of the two medians: above 1 ours is better. */
  readonly ratio: number
  /** The ratio of each turn. */
  readonly turns: readonly number[]
}

/** One ratio for each figure that both have, from the turns in which both have it. */
export function ratiosOf(turns: readonly Turn[]): readonly Ratio[] {
  return (turns[0]?.ours ?? []).flatMap(({ name, better }) => {
    const pairs = turns.flatMap(({ ours, ref }) => {
      const pair = { ours: valueIn(ours, name), ref: valueIn(ref, name) }
      return pair.ours === undefined || pair.ref === undefined ? [] : [{ ours: pair.ours, ref: pair.ref }]
    })
    if (pairs.length === 0) return []
    const ratio = (ours: number, ref: number) => (better === 'more' ? ours / ref : ref / ours)
    const [ours, ref] = [median(pairs.map(pair => pair.ours)), median(pairs.map(pair => pair.ref))]
    const each = pairs.map(pair => ratio(pair.ours, pair.ref))
    return [{ name, ours, ref, ratio: ratio(ours, ref), turns: each }]
  })
}

const valueIn = (figures: Figures, name: string): number | undefined =>
  figures.find(figure => figure.name === name)?.value

/** The names of figures that only one of the two has. */
export function unmatched({ ours, ref }: Turn): readonly string[] {
  const all = [...new Set([...ours, ...ref].map(({ name }) => name))]
  return all.filter(name => valueIn(ours, name) === undefined || valueIn(ref, name) === undefined)
}

/** Noise alone puts some turns below the floor, a loss most of them. */
const mostTurns = 0.8

export const isBelow =
  (floor: number) =>
  ({ ratio, turns }: Ratio): boolean =>
    ratio < floor && turns.filter(one => one < floor).length >= mostTurns * turns.length
