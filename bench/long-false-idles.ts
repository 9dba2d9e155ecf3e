/** What a fault run is judged by: work or a wait that was called idle for so long that somebody would have acted on it. */
import type { Recording } from './corpus.ts'
import type { Fault } from './faults.ts'
import { ours } from './judgements.ts'
import { type FalseIdle, falseIdles } from './truth.ts'

/** s */
export const longestFalse = 1

export type LongFalseIdle = FalseIdle & { readonly fault: string }

export const longFalseIdles = (recordings: readonly Recording[], fault: Fault): LongFalseIdle[] =>
  recordings.flatMap(recording =>
    falseIdles(recording, ours(recording, fault.apply))
      .filter(idle => idle.to - idle.from > longestFalse)
      .map(idle => ({ ...idle, fault: fault.name })),
  )
