/** What holds a terminal: a pane of tmux, or a pseudo terminal of lull's own. An observer sees all of them alike. */
import type { Grid } from '../core/text/grid.ts'
import type { PaneFacts } from '../os/tmux/pane-facts.ts'
import type { OutputFeed } from './output-feed.ts'
import type { Gone } from './probe/probed.ts'

export type TerminalHolder = {
  /** `/dev/pts/3` */
  readonly tty: string
  /** Of its first process. */
  readonly pid: number
  /** Its output, where that can be received. */
  readonly output: OutputFeed
  /** @param patience ms, after which it is unanswered; what the holder usually has, where not given */
  capture(patience?: number): Promise<Capture>
  /** How its program ended: the kernel shows the end before the holder knows how. */
  ended(): Promise<Ended>
}

/** What its holder knows of it beside its screen. */
export type TerminalFacts = Pick<
  PaneFacts,
  'pid' | 'dead' | 'cursor' | 'historySize' | 'historyLimit' | 'isInMode' | 'isSynchronized' | 'isInputOff'
>

export type Capture = Shown | Ended | Unanswered

export type Shown = {
  readonly type: 'shown'
  readonly screen: Grid
  /** It is the screen of a terminal emulator; else no more than the line that was printed last. */
  readonly isRendered: boolean
  /** The last lines, what has scrolled away included. */
  readonly lines: readonly string[]
  /** Less was printed meanwhile than the holder would have left to read. */
  readonly isWhole: boolean
  /** The holder had it twice, and read what was printed in between. */
  readonly isRepeated?: boolean
  /** Of one that is rendered. */
  readonly facts?: TerminalFacts
}

export type Ended = {
  readonly type: 'ended'
  readonly end: Gone
  readonly lines?: readonly string[]
  readonly facts?: TerminalFacts
}

/** Its holder is too busy, stopped, or can't be asked any more: nothing is known of its screen, least of all that it has ended. */
export type Unanswered = {
  readonly type: 'unanswered'
  /** A sentence. */
  readonly why: string
}

export type TypeHow = {
  /** Line ends become Enter, and a program that asked for it gets paste marks (`?2004`). */
  readonly isPaste: boolean
  /** Rows that have to stand on its screen at the very moment when it is typed, as far as their words go. */
  readonly shown?: readonly string[]
}

/** A holder that may be typed into: only what a person asked for is, and only into the program that was there before. */
export type DrivableHolder = TerminalHolder & {
  /** The socket of who holds it, a tmux server or lull's terminal server, and what it is called there: `%3`, or a name. */
  readonly socket: string
  readonly id: string
  /** Resolves once all later output is received, or can't be. */
  receiveOutput(): Promise<void>
  /** Resolves to true once all earlier output has been received; to false where none is. */
  flush(): Promise<boolean>
  /**
   * @returns false where another program holds the terminal now, or none, or what has to be shown is not: nothing was typed
   * @throws {LullError} NO_ANSWER where it is not known whether it was typed
   */
  type(bytes: Buffer, how: TypeHow): Promise<boolean>
  /**
   * @param key as tmux calls it (`readKey`)
   * @param shown as of `type`
   * @returns as `type` does; false also where somebody scrolls, or what has to be shown is not
   * @throws {LullError} REFUSED, ENDED; NO_ANSWER as `type` does
   */
  press(key: string, shown?: readonly string[]): Promise<boolean>
  /** The last lines, or with `screen` all of the screen. @throws {LullError} REFUSED, ENDED, TERMINALS_GONE */
  readLines(
    lines: number,
    how?: { readonly screen?: boolean; readonly raw?: boolean },
  ): Promise<readonly string[]>
  close(): Promise<void>
}
