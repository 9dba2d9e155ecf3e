/** Whether a number that is printed again and again only tells the time: it then lies on a line over the wall clock. */
import type { Instant } from '../../core/state.ts'

/** The last changes of a number, and how often it is printed where a value was printed twice, ms. */
export type Moves = {
  readonly value: number
  readonly lastSeen: Instant
  readonly paintedEvery: number
  readonly points: readonly { readonly value: number; readonly at: Instant }[]
}

const mostPoints = 8
/** Two points lie on any line, and three on many. */
const fewestPoints = 4
/** A program's own timers are late by so much on a busy machine, ms. */
const jitterMs = 250

export function moved(before: Moves | undefined, value: number, at: Instant): Moves {
  if (before === undefined) return { value, lastSeen: at, paintedEvery: 0, points: [{ value, at }] }
  if (before.value === value) return { ...before, lastSeen: at, paintedEvery: at - before.lastSeen }
  return { ...before, value, lastSeen: at, points: [...before.points, { value, at }].slice(-mostPoints) }
}

/** All of its last changes came when a steady count from the first to the last would have made them. */
export function isSteady({ points, paintedEvery }: Moves): boolean {
  const first = points[0]
  const last = points.at(-1)
  if (points.length < fewestPoints || !first || !last) return false
  const rate = (last.value - first.value) / (last.at - first.at)
  if (!Number.isFinite(rate) || rate === 0) return false
  const slack = jitterMs + paintedEvery
  return points.every(({ value, at }) => Math.abs(at - first.at - (value - first.value) / rate) <= slack)
}
