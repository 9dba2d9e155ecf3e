/** Lays what `lull ps` answered beside what the model and the keys know. Pure. */
import type { Kind } from '../../src/core/state.ts'

/** One `lull ps --json`: ms since the epoch, by the lab's `now`. */
export type Look = {
  readonly asked: number
  readonly answered: number
  readonly kind: Kind | 'not listed'
  /** As people read it, and on what it rests. */
  readonly said: string
}

/** A time in which one thing was so. */
export type Phase = {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly right: Kind
}

export type Judged = {
  readonly phase: string
  /** ms until the first right answer after which none was wrong; none where that never came. */
  readonly took: number | undefined
  /** Answers that were asked for when it should have been known, and how many of them were wrong. */
  readonly count: number
  readonly wrong: readonly Look[]
}

/** The floor of issue 18, ms. */
export const floorMs = 3000

/** What was asked and answered while it was so. */
export function judgeLooks({ name, from, to, right }: Phase, looks: readonly Look[]): Judged {
  const inside = looks.filter(({ asked, answered }) => asked >= from && answered <= to)
  const lastWrong = inside.findLastIndex(({ kind }) => kind !== right)
  const first = inside[lastWrong + 1]
  const due = inside.filter(({ asked }) => asked >= from + floorMs)
  return {
    phase: name,
    took: first === undefined ? undefined : first.answered - from,
    count: due.length,
    wrong: due.filter(({ kind }) => kind !== right),
  }
}
