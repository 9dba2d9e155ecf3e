/** What a rule found, before it is known how certain that is. */
import type { ProcessCause } from '../../core/state.ts'
import type { Proof } from '../diagnosis.ts'
import type { ClosureView, ThreadWait } from './closure-view.ts'

export type ClosureFinding = {
  readonly cause: ProcessCause
  /** The most that the rule claims. */
  readonly proof: Proof
  /** No source is left that could move the tree: claimed only together with a proof. */
  readonly isBlocked: boolean
  /** Where everything else leads to. */
  readonly leaf?: ThreadWait
  /** The sentence; made of the leaf where absent. */
  readonly summary?: string
  readonly advice?: string
  /** The leaf reads a terminal. */
  readonly isTerminal?: boolean
  /** Monotonic ms. */
  readonly until?: number
  readonly doubts?: readonly string[]
  /** Among what may wake it is a signal that carries news. */
  readonly isOpen?: boolean
  /** The proof holds even if the rest of the tree moves. */
  readonly isOfItself?: boolean
}

/** Undefined: the rule does not apply. */
export type ClosureRule = (view: ClosureView) => ClosureFinding | undefined

export type Unseen = {
  readonly what: string
  /** It may be the very thing that is waited for, and comes when somebody sends it: patience, before it is called stuck. */
  readonly isWord?: true
}

/** How certain a finding is. */
export type Weight = Pick<ClosureFinding, 'proof' | 'isBlocked'> & {
  readonly until?: number
  readonly doubts: readonly string[]
  /** All that is missing for a proof. */
  readonly unseen: readonly Unseen[]
}
