/** A tree of docs/process.md's second set, which was chosen by somebody who had not read the rules. */
import type { ProcessCause } from '../../src/core/state.ts'
import type { Command, Scenario } from './scenario.ts'

export type Unseen = Scenario & {
  /** What the program does, whatever anybody says of it. */
  readonly truth: string
  /** Somebody who is not there yet may still come and wake it: a proof is wrong, whatever its cause. */
  readonly isOpen?: true
  /** Judged by a real `lull run` with these options, which has to call it stuck for this cause. */
  readonly options?: readonly string[]
}

type Causes = readonly [ProcessCause, ...ProcessCause[]]
type More = Omit<Partial<Unseen>, 'name' | 'kind' | 'expected' | 'run' | 'truth'>

const ofKind =
  (kind: Scenario['kind']) =>
  (name: string, expected: Causes, run: Command, truth: string, more: More = {}): Unseen => ({
    name,
    kind,
    expected,
    run,
    truth,
    ...more,
  })

export const stuck = ofKind('stuck')
export const healthy = ofKind('healthy')
export const bounded = ofKind('bounded')
