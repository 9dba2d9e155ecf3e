/** The clock and timers that drivers of the core are handed, as types only: implementations do I/O, the core does not. */
import type { Instant } from './state.ts'

export type Timer = { cancel(): void }

export type Clock = {
  /** Monotonic, ms. */
  now(): Instant
  /** ms since the epoch: for display and for other programs' stamps only. */
  wall(): number
  /** Calls back once, at or after `at`. */
  at(at: Instant, call: () => void): Timer
}
