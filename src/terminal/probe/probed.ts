/**
 * One probe of a terminal as plain data: what the kernel, the stream and the screen tell at one moment. A probe survives
 * JSON, so that each scenario's probe is a unit test, and a bug report.
 */

import type { Instant } from '../../core/state.ts'
import type { Grid } from '../../core/text/grid.ts'

/** What a thread does, as far as a terminal is concerned. */
export type TerminalCall =
  /** On a processor, or about to be. */
  | { readonly type: 'running' }
  /** Blocked until this terminal has input, or something else of a list that holds the terminal. */
  | {
      readonly type: 'reads'
      /** `read`, `poll`, `pselect6`, `epoll_wait`, … */
      readonly name: string
      /** Bytes asked for, where it is a plain read. */
      readonly count?: number
      /** How many other descriptors would wake it as well. */
      readonly others: number
      /** It wakes by itself after some time. */
      readonly isTimed: boolean
      /** Known only from where it sleeps in the kernel (Yama hides the call): its descriptors are not known. */
      readonly isGuessed?: true
      readonly passes?: Passes
      /** Its stack pointer's distance from the stack's start: how deep in its own code it reads. Absent where hidden. */
      readonly depth?: number
    }
  /** Blocked because this terminal takes no output. */
  | { readonly type: 'writes'; readonly name: string }
  /** Blocked in something else. */
  | {
      readonly type: 'blocked'
      readonly name: string
      readonly passes?: Passes
      /** It wakes by itself after some time; known only for a process's first thread, and for one that it joins. */
      readonly isTimed?: true
    }
  /** May not be read by this user. */
  | { readonly type: 'hidden' }

/** The numbers of terminals (`/dev/pts/3`): it waits for their other ends, and their output would wake it. */
export type Passes = readonly number[]

/** A process that may own the terminal's input: of its foreground group, or below that and holding the terminal open. */
export type TerminalProcess = {
  readonly pid: number
  readonly parent: number
  /** The name that the kernel keeps, at most 15 characters. */
  readonly name: string
  /** Its program file's name, where it may be read. */
  readonly program?: string
  /** Arguments, cut to 1,000 characters in all. */
  readonly args: readonly string[]
  /** As in /proc: R S D T t Z X I. */
  readonly state: string
  readonly uid?: number
  /** Bytes read so far by any read call; absent where hidden. Read BEFORE the calls: what it consumed, it consumed before it blocked. */
  readonly readChars?: number
  /** Bytes written so far, to whatever; absent where hidden. */
  readonly writtenChars?: number
  /** How often the main thread has blocked; read only where it is kept from writing, or `readChars` is hidden. */
  readonly switches?: number
  readonly calls: readonly TerminalCall[]
  /** Of a shell that reads and keeps it in memory that can be read. */
  readonly shows?: PromptPart
  /** Of a shell behind a relay: the last line of its prompt, from its memory. */
  readonly prompt?: string
  /** Of what reads: a library that edits lines is loaded. */
  readonly hasEditor?: true
  /** Of what reads and is no shell: its stdin is something other than the terminal. */
  readonly isFed?: true
}

/** Which prompt a shell shows: that of a new command, or that of the rest of something begun. */
export type PromptPart = 'first' | 'rest'

export type TerminalRead = Extract<TerminalCall, { type: 'reads' }>

/** How a process reads the terminal, where it does. */
export const readingOf = ({ calls }: TerminalProcess): TerminalRead | undefined =>
  calls.find((call): call is TerminalRead => call.type === 'reads')

export type Termios = {
  /** ICANON: the terminal collects whole lines. */
  readonly canonical: boolean
  readonly echo: boolean
  /** ISIG: Ctrl-C is a signal. */
  readonly signals: boolean
}

/** The last control sequences of the output stream. Times on the machine's monotonic clock, ms. */
export type StreamMarks = {
  /** The last semantic prompt mark (OSC 133 or 633): A prompt begins, B input begins, C command runs, D it ended. */
  readonly semantic?: {
    readonly mark: 'A' | 'B' | 'C' | 'D'
    readonly exitCode?: number
    readonly at: Instant
  }
  /** `ESC [ ? 2004 h` or `l`. */
  readonly bracketedPaste?: { readonly on: boolean; readonly at: Instant }
  readonly alternate?: { readonly on: boolean; readonly at: Instant }
  /** When the last byte came. */
  readonly lastOutput: Instant
  /** When lull entered a line or a key last: of what that began nothing is known before its own marks come. */
  readonly entered?: Instant
}

export type Gone = {
  readonly code?: number
  readonly signal?: string
  /** Its program may live on: the terminal was closed above it, or its pane holds another program now. */
  readonly how?: 'closed' | 'replaced'
}

export type Probe = {
  /** Monotonic, ms, when it began. */
  readonly at: Instant
  /** `/dev/pts/3`; as it is called where lull runs. */
  readonly tty: string
  /** The first process of the terminal (tmux: the pane's). */
  readonly leader: number
  /** The leader has ended, or the pane is dead. */
  readonly gone?: Gone
  /** Why nothing could be read of it, though it may all be there: too many open files. Then nothing is known. */
  readonly unread?: string
  /** The kernel could be asked at all (/proc is there and has the leader). */
  readonly hasKernel: boolean
  readonly termios?: Termios
  /** Input that nobody has read yet, bytes (FIONREAD; whole lines only where it is canonical). */
  readonly queued?: number
  /** It takes no output: stopped (Ctrl-S), or full for a moment. */
  readonly isOutputStopped?: true
  /** The terminal's foreground process group. */
  readonly foreground?: number
  /** The leader first where it is of them. */
  readonly processes: readonly TerminalProcess[]
  /** What lies between this terminal and the program that matters, where the foreground only passes bytes on. */
  readonly relay?: Relay
  /** The terminal that a relay feeds, where it is on this machine: that one is judged. */
  readonly inner?: Probe
  readonly screen?: Grid
  readonly stream?: StreamMarks
  /** Time since the last output, ms, as far as it was watched; absent where nobody watched. */
  readonly quiet?: number
  /** Time since the cursor's line last changed, ms, as far as captures tell. */
  readonly still?: number
}

export type Relay = {
  readonly pid: number
  /** For people. */
  readonly name: string
  /** The kernel shows that it passes a terminal on, and nothing is known of it but that. */
  readonly isSeen?: true
  /** It takes the keys itself, as tmux does in copy mode. */
  readonly isInMode?: true
}

/** A terminal that another program on this machine draws into the one that is probed (an inner tmux's pane). */
export type InnerTerminal = {
  readonly tty: string
  readonly leader: number
  readonly screen?: Grid
  /** What shows it takes the keys itself: a tmux whose pane is in copy mode. */
  readonly isInMode?: true
}
