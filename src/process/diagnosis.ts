/** What a tree does or waits for, as the closure proves or infers it. */
import type { ProcessCause } from '../core/state.ts'

/**
 * proven: the closure is empty, and nothing moved between the two snapshots. bounded: a timer will fire, at `until`. inferred: from signs that do not
 * exclude another reading. unknown: a source is unexplained.
 */
export type Proof = 'proven' | 'bounded' | 'inferred' | 'unknown'

/** Who waits for what: a process or a thread of it, and what could wake it. */
export type Wait = {
  readonly pid: number
  readonly tid: number
  readonly name: string
  /** `read(0)`, `wait4`, `futex 0x7f…`. */
  readonly call: string
  /** For people: `a pipe that this lull holds and has not written`, `the lock that thread 812 holds`. */
  readonly on: string
  /** Who could wake it: pids of the tree or of outsiders. */
  readonly waker: readonly number[]
  /** Why it counts as live, where it does. */
  readonly live?: string
}

export type Diagnosis = {
  readonly cause: ProcessCause
  readonly proof: Proof
  /** True where no source is left that could move it: only then may anyone call it stuck. */
  readonly isBlocked: boolean
  /** One sentence's worth: what, where. */
  readonly summary: string
  /** The thread that everything else waits for, where there is one. */
  readonly leaf?: Wait
  /** The root first, down to the leaf: who waits for whom. */
  readonly chain: readonly Wait[]
  /** Every waiting thread, one for each kind of wait, for `explain`. */
  readonly waits: readonly Wait[]
  /** The leaf reads a terminal: a person may be asked for something. */
  readonly isTerminal?: boolean
  /** Monotonic ms at which a timer will fire, for `bounded`. */
  readonly until?: number
  /** What a person can do: `close its stdin, or run it with </dev/null`. */
  readonly advice?: string
  /** All that can be seen is closed, and this can't be seen: it is likely stuck, and no more. Absent where all is seen. */
  readonly unseen?: readonly string[]
  /** A part of `unseen` may be the very thing that it waits for: only a long silence makes it likely stuck. */
  readonly mayAwaitWord?: true
  /** Its wrappers run now and then and change nothing: only another scan shows whether it goes on. */
  readonly isWrapped?: true
  /** A signal that somebody may send could be what it waits for: it is suspicious at most. */
  readonly isOpen?: true
  /** Why it is not more certain. */
  readonly doubts: readonly string[]
}
