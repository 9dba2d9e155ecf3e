/** What goes on beside a turn, or will begin one, by kind; and which of it counts as work. */

import type { Instant } from '../state.ts'

/** The one table of what counts as work (docs/judging.md#background-work). `lull wait --ignore-background KIND` takes more out. */
export const countsAsWork = {
  /** A command, a subagent, a workflow, a teammate at work: it ends, and its end goes on with the session. */
  task: true,
  /** A command that ends only when somebody ends it. */
  server: false,
  /** A teammate without work. */
  teammate: false,
  /** It runs elsewhere, and its end goes on with the session. */
  remote: true,
} as const

export type BackgroundKind = keyof typeof countsAsWork

export const backgroundKinds = Object.keys(countsAsWork) as readonly BackgroundKind[]
export const isBackgroundKind = (word: string): word is BackgroundKind => Object.hasOwn(countsAsWork, word)
export const isWork = (kind: BackgroundKind): boolean => countsAsWork[kind]

/** Runs beside the turn. `what`: a command, a name, for people. */
export type Background = { readonly kind: BackgroundKind; readonly what?: string }

/** Will begin a turn by itself: a schedule, a time, a watch, a goal that is not met. */
export type Wake = {
  readonly kind: 'cron' | 'wakeup' | 'monitor' | 'goal'
  readonly what?: string
  /** The time of a wake that happens once, where it is known. */
  readonly at?: Instant
}

/** All that is known to go on beside the turn is none that counts. */
export const isResting = (background: readonly Background[] = []): boolean =>
  background.length > 0 && !background.some(({ kind }) => isWork(kind))
