/** What a scenario is: a command, the world around it, and what is true of it. */
import type { ProcessCause } from '../../src/core/state.ts'

/**
 * stuck: nothing will ever move it. healthy: legitimate, however quiet. bounded: only a timer will end it. unknown: nobody
 * could tell from here, so that any certainty would be a lie.
 */
type Kind = 'stuck' | 'healthy' | 'bounded' | 'unknown'

/**
 * The first word of a command may be a program of this folder, by its file: `input.c` is compiled, `stdin.js` run by node.
 * `{dir}` is a folder of the scenario's own, `{value}` what the program beside has said.
 */
export type Command = readonly string[]

export type Scenario = {
  readonly name: string
  readonly kind: Kind
  /**
   * Causes that are right. More than one only where docs/research/process.md leaves it open, or the truth changes
   * meanwhile.
   */
  readonly expected: readonly ProcessCause[]
  readonly run: Command
  /** Has a terminal instead of pipes; what it prints is read. */
  readonly pty?: true
  /** Its output is not read. */
  readonly undrained?: true
  /** Runs beside, outside of the tree; has said `ready VALUE` before the command starts. */
  readonly beside?: Command
  /** `{value}` is the pid to look at; nothing is run. */
  readonly attach?: true
  /** Runs to its end once the command has settled, with its pid as the last word; `undo` before it is killed. */
  readonly afterwards?: Command
  readonly undo?: Command
  /** Never comes to rest by itself. */
  readonly moves?: true
  /** ms from the start to the first look; default 500, and until it rests. */
  readonly settle?: number
  /** Uses up a processor: runs alone. */
  readonly heavy?: true
  /** The one who looks has no privileges. */
  readonly unprivileged?: true
  /** Commands that must be installed, besides the one that is run. */
  readonly needs?: readonly string[]
  /** Only root may build it. */
  readonly root?: true
  /** Seconds after which it ends by itself: the baseline is not carried further. */
  readonly ends?: number
  /** Which of the kinds of research it is, and what is not plain in it, for people. */
  readonly part?: string
  readonly why?: string
}
