/**
 * What a session does (state) and whether it can still make progress (health): two answers, one verdict.
 */

/** Milliseconds on the session's own time line. A trace's line starts at 0; a live one is monotonic. */
export type Instant = number & { readonly [unit]?: 'instant' }

/** Any number is one, but the compiler tells fields that are instants from other numbers (shapes/wire-shapes.ts). */
export declare const unit: unique symbol

export type Doing = 'thinking' | 'streaming' | 'tool' | 'compacting' | 'background' | 'retrying' | 'command'

export type WaitingFor =
  | 'permission'
  | 'question'
  | 'plan'
  | 'trust'
  | 'login'
  | 'dialog'
  | 'password'
  | 'confirmation'
  | 'keypress'
  | 'pager'
  | 'editor'
  | 'input'

/** How the turn before this idleness ended. */
export type IdleAfter = 'turn' | 'interrupt' | 'error' | 'limit'

export type State =
  | { readonly kind: 'starting' }
  | { readonly kind: 'working'; readonly doing?: Doing }
  | { readonly kind: 'waiting'; readonly for: WaitingFor }
  | { readonly kind: 'idle'; readonly at?: 'composer' | 'shell' | 'repl'; readonly after?: IdleAfter }
  | { readonly kind: 'exited'; readonly code?: number; readonly signal?: string }
  | { readonly kind: 'unknown' }

export type Kind = State['kind']

/** What a process tree does or waits for, in the order of the rules that find it (`process/closure`). */
export type ProcessCause =
  | 'exited'
  | 'zombie'
  | 'stopped'
  | 'frozen'
  | 'traced'
  /** Locks that are held in a ring. */
  | 'deadlock'
  /** It could run, and gets no processor. */
  | 'starved'
  | 'computing'
  | 'disk'
  /** Retransmissions or probes go unanswered. */
  | 'dead_peer'
  /** A connection that is not accepted: its attempts go unanswered. */
  | 'unreachable'
  | 'network'
  | 'connecting'
  /** A lock, a pipe or a queue that a living program outside of the tree holds. */
  | 'outsider'
  /** Its output is full, and whoever should read it does not. */
  | 'output'
  /** Only a timer can wake it: `until`. */
  | 'timer'
  /** It wakes by itself, again and again, and gets nothing done: a spinner, a polling loop. */
  | 'ticking'
  /** It reads input that nobody will write. */
  | 'stdin'
  /** A server without work. */
  | 'server'
  | 'signal'
  /** No source is left that could wake it. */
  | 'closed_wait'
  | 'unknown'

export type Cause = 'no_progress' | ProcessCause

export type Health = {
  readonly level: 'healthy' | 'suspicious' | 'likely_stuck' | 'confirmed_stuck'
  readonly cause?: Cause
  readonly certainty: 'low' | 'medium' | 'high' | 'certain'
}

/** Which claim wins when several lanes are alive: the one that it would cost most to miss. */
export const weight: Readonly<Record<Kind, number>> = {
  exited: 9,
  waiting: 5,
  working: 4,
  idle: 2,
  starting: 1,
  unknown: 0,
}

/** True where nothing that a person would read of the two states differs. */
export function sameState(a: State, b: State): boolean {
  if (a === b) return true
  switch (a.kind) {
    case 'starting':
    case 'unknown':
      return a.kind === b.kind
    case 'working':
      return b.kind === 'working' && a.doing === b.doing
    case 'waiting':
      return b.kind === 'waiting' && a.for === b.for
    case 'idle':
      return b.kind === 'idle' && a.at === b.at && a.after === b.after
    case 'exited':
      return b.kind === 'exited' && a.code === b.code && a.signal === b.signal
  }
}
