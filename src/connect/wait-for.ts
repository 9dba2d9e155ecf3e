/** `waitFor`: a wait as a program asks for it, with the defaults of `lull wait`. */
import { is } from '../core/check-values.ts'
import { type BackgroundKind, backgroundKinds } from '../core/evidence/background.ts'
import { LullError } from '../core/lull-error.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { type Goal, goals, type WaitRequest } from '../sessions/wait/wait-step.ts'

/** Durations in ms. */
export type WaitForOptions = {
  /**
   * `idle` where not given: the next instruction would be taken. `settled`: idle, with nothing in the background, no wake pending,
   * and no session that it started still at work. Several: whichever comes first.
   */
  readonly until?: Goal | readonly Goal[]
  /** For ever where not given. */
  readonly timeout?: number
  /** Ends the wait: its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /**
   * Only a turn that begins from now on counts; `or-running`: the one that runs as well, where none begins within three seconds
   * of its end. For what is typed into a turn: that is answered within it, or in one of its own.
   */
  readonly next?: boolean | 'or-running'
  /** The state must have held for so long; 0 where not given. */
  readonly held?: number
  /** Work that goes on once the turn is over is none; or only that of these kinds. */
  readonly ignoreBackground?: boolean | BackgroundKind | readonly BackgroundKind[]
  /** Of several sessions: one is enough. All of them at one moment where not given. */
  readonly any?: boolean
  /** An address that means no session yet is no error: the session is waited for. */
  readonly appear?: boolean
  /** Called once every turn that begins from now on will count; not where the wait is over at once. */
  readonly onRegistered?: (sessions: readonly LiveSession[]) => void
}

export const waitForOptions = is.options<WaitForOptions>({
  until: is.oneOrMore(is.oneOf(...goals)),
  timeout: is.duration,
  signal: is.abortSignal,
  next: is.oneOf(true, false, 'or-running'),
  held: is.duration,
  ignoreBackground: is.oneOrMore(is.oneOf(true, false, ...backgroundKinds)),
  any: is.flag,
  appear: is.flag,
  onRegistered: is.callback,
})

/** @throws {LullError} USAGE where it would be settled although something goes on in its background */
export function requestOf(options: WaitForOptions): WaitRequest {
  const { until = 'idle', timeout, next = false, held = 0, ignoreBackground = false, any = false } = options
  const goals = typeof until === 'string' ? [until] : until
  if (ignoreBackground !== false && goals.includes('settled'))
    throw new LullError(
      'USAGE',
      'settled means that nothing goes on in the background; wait for idle to ignore background work',
    )
  return {
    for: goals,
    next,
    mode: any ? 'any' : 'all',
    ignoreBackground: typeof ignoreBackground === 'string' ? [ignoreBackground] : ignoreBackground,
    held,
    ...(timeout === undefined ? {} : { timeout }),
  }
}

/** @throws {LullError} USAGE where the turns of a terminal would be waited for */
export function checkTurns(
  { next, ignoreBackground }: WaitRequest,
  sessions: readonly LiveSession[],
): readonly LiveSession[] {
  const terminal = sessions.find(({ agent }) => agent === 'terminal')
  if (terminal && (next || ignoreBackground))
    throw new LullError(
      'USAGE',
      `terminal ${terminal.name ?? terminal.id} has no turns: ${next ? 'the next one' : 'what goes on behind one'} is waited for of agents alone`,
    )
  return sessions
}
