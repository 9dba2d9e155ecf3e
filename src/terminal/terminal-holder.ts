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
  /** What it prints, where that can be heard. */
  readonly output: OutputFeed
  /** @param patience ms, after which it is unanswered; what the holder usually has, where not given */
  capture(patience?: number): Promise<Capture>
  /** How its program ended: the kernel tells that it did before the holder knows how. */
  ended(): Promise<Ended>
}

/** What its holder knows of it beside its screen. */
export type TerminalFacts = Pick<
  PaneFacts,
  'pid' | 'dead' | 'cursor' | 'historySize' | 'isInMode' | 'isSynchronized' | 'isInputOff'
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

/** A holder that may be typed into: only what a person asked for is, and only into the program that was there before. */
export type DrivableHolder = TerminalHolder & {
  /** The socket of who holds it, a tmux server or lull's terminal server, and what it is called there: `%3`, or a name. */
  readonly socket: string
  readonly id: string
  /** Resolves once all that is printed from then on is heard, or can't be. */
  receiveOutput(): Promise<void>
  /** Resolves to true once all that was printed before has been heard; to false where nothing is. */
  flush(): Promise<boolean>
  /**
   * @param isPaste line ends become Enter, and the program that asked for it is told that this is a paste (`?2004`)
   * @returns false where another program holds the terminal now, or none: nothing was typed
   * @throws {LullError} NO_ANSWER where it is not known whether it was typed
   */
  type(bytes: Buffer, how: { readonly isPaste: boolean }): Promise<boolean>
  /**
   * @param key as tmux calls it (`readKey`)
   * @param shown rows that have to stand on its screen at the very moment when it is pressed, as far as their words go
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
