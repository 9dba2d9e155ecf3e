/** What a scenario of `bench/terminal` is made of: a program in a pane, what is typed, how it shows that it got there. */
import type { Tool } from '../../scripts/setup-bench.ts'
import type { TerminalWord } from '../../src/drive/terminal-word.ts'
import type { shells } from './shells.ts'

/** The label of a moment, in the words of a verdict: `waiting/password`. `frozen` is a health. */
export type Says =
  | 'idle/shell'
  | 'idle/repl'
  | 'working'
  | 'waiting/input'
  | 'waiting/confirmation'
  | 'waiting/keypress'
  | 'waiting/password'
  | 'waiting/pager'
  | 'waiting/editor'
  | 'waiting/dialog'
  | 'frozen'
  | 'exited'
  | 'unknown'

/** Something that the bench sees by itself, without lull. Files lie in the run's own folder. */
export type Sign =
  | { readonly file: string; readonly holds?: string }
  | { readonly gone: string }
  /** The text of the screen, lines without the blanks at their ends. */
  | { readonly shows: RegExp }
  /** The text of the screen holds none of it. */
  | { readonly hides: RegExp }
  /** The program in the foreground, as tmux names it. */
  | { readonly runs: string }
  | { readonly closed: true }

/**
 * A line that is typed with Enter; keys in tmux' words; text without Enter; a paste of a file; a process below the pane that is
 * killed; words for tmux, where `{pane}` is the pane; or a sign that is waited for. `{T}` in a text is the run's own folder; other names in braces are the stage's.
 */
export type Step =
  | string
  | Sign
  | { readonly keys: readonly string[] }
  | { readonly text: string }
  | { readonly paste: string }
  | { readonly kills: string }
  | { readonly tmux: readonly string[] }

type Group =
  | 'ready'
  | 'continuation'
  | 'running'
  | 'question'
  | 'password'
  | 'repl'
  | 'full screen'
  | 'other'
  // Of programs that nobody listed.
  | 'fresh'
  | 'after a command'
  | 'half a line'
  | 'looks ready'
  | 'relay'
  | 'prompt kit'
  | 'gone'

export type Scenario = {
  readonly name: string
  readonly group: Group
  readonly shell: keyof typeof shells
  readonly does?: readonly Step[]
  /** The moment of truth: all of these are seen. The shell's prompt where nothing is said. */
  readonly at?: readonly Sign[]
  /** What a verdict may say; none else is right. */
  readonly truth: readonly (Says | TerminalWord)[]
  /** Right as well where a verdict says it as no more than inferred: what nobody can tell who comes after it. */
  readonly inferred?: readonly (Says | TerminalWord)[]
  /** A line that lull itself sends before the moment: who asks has seen the prompt before it. */
  readonly sends?: string
  /** Done after the verdicts, and then seen: the label was true. */
  readonly proof: { readonly does?: readonly Step[]; readonly seen: readonly Sign[] }
  /** The verdict is that of a wait that has begun before this is done. */
  readonly during?: readonly Step[]
  readonly needs?: readonly (Tool | 'root')[]
  /** The rules were not written with it in sight. */
  readonly isUnseen?: boolean
  readonly why?: string
}
