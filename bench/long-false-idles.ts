/** What a fault run is judged by: work or a wait that was called idle for so long that somebody would have acted on it. */
import type { Recording } from './corpus.ts'
import type { Fault } from './faults.ts'
import { ours } from './judgements.ts'
import { type FalseIdle, falseIdles, type Prediction } from './truth.ts'

/** s */
export const longestFalse = 1

export type LongFalseIdle = FalseIdle & { readonly fault: string }

/** @param add receives the verdicts of each recording */
export const longFalseIdles = (
  recordings: readonly Recording[],
  fault: Fault,
  add?: (recording: Recording, said: readonly Prediction[]) => void,
): LongFalseIdle[] =>
  recordings.flatMap(recording => {
    const said = ours(recording, fault.apply)
    add?.(recording, said)
    return falseIdles(recording, said)
      .filter(idle => idle.to - idle.from > longestFalse)
      .map(idle => ({ ...idle, fault: fault.name }))
  })
