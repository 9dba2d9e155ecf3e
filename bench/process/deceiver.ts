/** A program that looks as if nothing could ever wake it, and goes on by itself after 25 to 60 s, saying `went on`. */
import type { Command, Scenario } from './scenario.ts'

export type Deceiver = Pick<Scenario, 'beside' | 'needs' | 'root'> & {
  readonly name: string
  readonly run: Command
  /** What makes it go on. */
  readonly truth: string
  /** Words before lull's own: where lull itself is in a namespace, it sees no process outside of that. */
  readonly around?: Command
  /**
   * Whoever makes it go on needs the right to write into its memory or to open its descriptors, and comes from nowhere.
   * No proof can hold against that: shown, and not counted.
   */
  readonly isBeyond?: true
}

type More = Partial<Pick<Deceiver, 'needs' | 'root' | 'around' | 'isBeyond'>>

/** @param deed what programs/deceive/outsider.py does meanwhile */
export const deceiver = (
  name: string,
  run: Command,
  truth: string,
  deed?: Command,
  more: More = {},
): Deceiver => {
  const [verb = '', ...rest] = deed ?? []
  return {
    name,
    run,
    truth,
    ...(deed && { beside: ['deceive/outsider.py', verb, '{dir}', ...rest] }),
    ...more,
  }
}
