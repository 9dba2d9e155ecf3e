/**
 * The second set of trees (docs/process.md), one a line of `unseen.jsonl`: it was chosen by somebody who had not read the
 * rules, and none of it was known when they were written.
 */
import { rowsOf } from '../rows.ts'
import type { Scenario } from './scenario.ts'

export type Unseen = Scenario & {
  /** What the program does, whatever anybody says of it. */
  readonly truth: string
  /** Somebody who is not there yet may still come and wake it: a proof is wrong, whatever its cause. */
  readonly isOpen?: true
  /** Judged by a real `lull run` with these options, which has to call it stuck for this cause. */
  readonly options?: readonly string[]
}

const rows = rowsOf<Unseen & { readonly set: string }>(new URL('unseen.jsonl', import.meta.url))

/** By kind. */
export const unseen: Readonly<Record<string, readonly Unseen[]>> = Object.fromEntries(
  Map.groupBy(rows, ({ set }) => set),
)
