/** `waitFor`: a wait as a program asks for it, with the defaults of `lull wait`. */
import type { LiveSession } from '../sessions/session-source.ts'
import type { Goal, WaitRequest } from '../sessions/wait/wait-step.ts'

/** Durations in ms. */
export type WaitForOptions = {
  /** `idle` where not given: the next instruction would be taken. Several: whichever comes first. */
  readonly until?: Goal | readonly Goal[]
  /** For ever where not given. */
  readonly timeout?: number
  /** Ends the wait: its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Only a turn that begins from now on counts. */
  readonly next?: boolean
  /** The state must have held for so long; 0 where not given. */
  readonly settled?: number
  /** Work that goes on once the turn is over is none. */
  readonly ignoreBackground?: boolean
  /** Of several sessions: one is enough. All of them at one moment where not given. */
  readonly any?: boolean
  /** Called once every turn that begins from now on will count; not where the wait is over at once. */
  readonly onRegistered?: (sessions: readonly LiveSession[]) => void
}

export function requestOf(options: WaitForOptions): WaitRequest {
  const {
    until = 'idle',
    timeout,
    next = false,
    settled = 0,
    ignoreBackground = false,
    any = false,
  } = options
  return {
    for: typeof until === 'string' ? [until] : until,
    next,
    mode: any ? 'any' : 'all',
    ignoreBackground,
    settled,
    ...(timeout === undefined ? {} : { timeout }),
  }
}
