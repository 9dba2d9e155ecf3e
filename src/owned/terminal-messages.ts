/** What the terminal server and its clients say to each other: JSON over its socket. */
import type { Grid } from '../core/text/grid.ts'
import { signalName } from '../os/proc/stat.ts'
import type { TerminalSize } from '../os/tty/tty.ts'

/** Raised where an older lull could not read what this one sends. */
export const terminalProtocol = 1

/** Rows that have scrolled away and are kept: with 80 columns they take 1 MB, with 200 2.5 (12 bytes a cell). */
export const keptRows = 1000

export type OpenRequest = TerminalSize & {
  readonly name: string
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** How its program ended: by itself, or by a signal (its number). `at`: ms since the epoch. */
export type OwnedEnd = { readonly code?: number; readonly signal?: number; readonly at: number }

/** Its signal by its name. */
export const endOf = ({ code, signal }: OwnedEnd): { readonly code?: number; readonly signal?: string } =>
  signal === undefined ? { code: code ?? 0 } : { signal: signalName(String(signal)) }

/** A terminal of lull's own. Instants are ms since the epoch. */
export type OwnedTerminal = TerminalSize & {
  readonly name: string
  /** Of the program that it was opened with. */
  readonly pid: number
  readonly tty: string
  readonly words: readonly string[]
  readonly cwd: string
  readonly openedAt: number
  /** When it printed last. */
  readonly outputAt: number
  /** Bytes that it has printed. */
  readonly count: number
  readonly title: string
  /** When somebody who is attached typed last. */
  readonly viewedAt?: number
  readonly end?: OwnedEnd
}

export type OwnedScreen = {
  readonly pid: number
  readonly tty: string
  readonly title: string
  readonly count: number
  readonly historySize: number
  readonly screen: Grid
  readonly lines: readonly string[]
  /** All that was printed is on it. */
  readonly isWhole: boolean
  /** Nothing was printed between two looks. */
  readonly isRepeated: boolean
  readonly end?: OwnedEnd
}

export type ServerStatus = {
  readonly pid: number
  readonly version: string
  readonly protocol: number
  readonly terminals: number
}
