/** What is known of a terminal's programs: how they read when they are at their prompt, and how that prompt looks. */
import type { Tier } from '../../core/evidence/signal.ts'
import type { TerminalRead, Termios } from '../probe/probed.ts'
import type { Repl } from './repl/repl-rows.ts'

/** How a process reads at its prompt, learned while it was there; no surer than its evidence. */
export type IdleReader = {
  readonly pid: number
  readonly termios: Termios
  readonly call: TerminalRead
  readonly tier: Tier
  /** The cursor's line up to the cursor, where there was a screen. */
  readonly prompt?: string
}

/** How deep in its own code a program reads at its prompt, measured on a fresh one of the same file. */
export type Reference = {
  readonly pid: number
  readonly canonical: boolean
  /** The call's name. */
  readonly call: string
  readonly depth: number
}

/** What a program asked that nobody knows: a prompt, if it asks so again after its output. */
type Asked = {
  readonly pid: number
  /** The cursor's line up to the cursor. */
  readonly prompt: string
  /** What stood above it. */
  readonly above: readonly string[]
  readonly readChars: number
}

export type Learned = {
  readonly idle: readonly IdleReader[]
  readonly references: readonly Reference[]
  readonly asked: readonly Asked[]
  /** A person's own rows of REPLs. */
  readonly repls: readonly Repl[]
}

export const nothingLearned: Learned = { idle: [], references: [], asked: [], repls: [] }
