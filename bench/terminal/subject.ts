/** What a scenario runs on: the stage, a pane of it, and how lull and its rivals are asked about that pane. */
import type { Tool } from '../../scripts/setup-bench.ts'
import type { TerminalVerdict } from '../../src/terminal/classify/terminal-verdict.ts'
import type { Probe } from '../../src/terminal/probe/probed.ts'
import type { Sign, Step } from './scenario.ts'

export type Stage = {
  readonly home: string
  /** What panes run with; nothing of the person's own environment is in it. */
  readonly env: Readonly<Record<string, string>>
  /** Its terminals are lull's own, and no panes of tmux. */
  readonly isOwned: boolean
  /** lull is asked by MCP: it answers with words, and no states. */
  readonly isByMcp: boolean
  readonly missing: ReadonlySet<Tool | 'root'>
  /** A new folder for one run, which every user may write. */
  folder(): string
  /** A new folder of this user alone, as sockets want it. */
  ownFolder(): string
  /** How lull is asked of a pane of it. */
  face(pane: Pane): Promise<Face>
  /** Puts what stands for the names in braces. */
  filled(text: string, folder: string): string
  close(): Promise<void>
}

export type Pane = {
  readonly socket: string
  /** `%0` */
  readonly id: string
  readonly pid: number
  readonly folder: string
  /** A folder of this user alone. */
  readonly own: string
  /** @throws Error with the screen where a sign among them is not seen in time */
  act(steps: readonly Step[]): Promise<void>
  /** Resolves once all signs are seen at once; false after `timeout` ms. */
  sees(signs: readonly Sign[], timeout?: number): Promise<boolean>
  screen(): Promise<string>
  /** The last lines, what has scrolled away included. */
  lastLines(most: number): Promise<string>
  /** Reads the screen often and cheaply, sharing no code with lull where it is tmux'. */
  reader(): Promise<{ read(): Promise<string>; close(): void }>
  /** What stands for the names in braces, put into a text. */
  filled(text: string): string
  tmux(...args: readonly string[]): Promise<string>
  close(): Promise<void>
}

export type LullSays = {
  /** In the words of the labels. */
  readonly says: string
  readonly tier: TerminalVerdict['tier']
  readonly why: string
  readonly probe?: Probe
}

/** How lull is asked of one pane: as `lull.terminal` answers, or `lull mcp`. */
export type Face = {
  send(line: string): Promise<unknown>
  /** One question by somebody who has not seen the pane before, except that it sent. */
  look(timeout: number): Promise<LullSays>
  /** A wait that goes on until the pane is ready, or never will be. */
  wait(timeout: number): Promise<LullSays & { guess: Guess }>
  close(): Promise<void>
}

export type Guess = {
  readonly says: 'ready' | 'timeout' | 'failed'
  readonly why: string
  readonly at: number
}
