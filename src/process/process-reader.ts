/** The port between the kernel of this machine and everything that judges a process tree. */
import type { Snapshot } from './snapshot.ts'

/**
 * tree: processes and threads with their times, no calls and no files. calls: what every thread waits for, and who holds
 * the other ends. suspects: also the counters of connections.
 */
export type Depth = 'tree' | 'calls' | 'suspects'

/** Learns cheaply whether any of some threads ran. */
export type ActivityPoll = {
  /** These threads from now on: pid and tid. */
  follow(threads: readonly (readonly [pid: number, tid: number])[]): void
  /** Whether one of them ran, or ended, since it was read last: each poll reads all, of a crowd a share in turn. */
  poll(): boolean
  /** All of them are followed; false where there are more than files may be kept open. */
  isWhole(): boolean
  close(): void
}

export type ProcessReader = {
  /** Undefined where the root is gone. Never throws. */
  snapshot(root: number, depth: Depth): Snapshot | undefined
  /** All that this reader ever saw in the root's tree, those that have ended too: pid to start, in ticks since boot. */
  known(root: number): ReadonlyMap<number, string>
  /** None where this machine has no cheap way. */
  activity?(): ActivityPoll
  /** Why this reader gives nothing, or little, on this machine: one sentence. */
  readonly unsupportedReason?: string
}
