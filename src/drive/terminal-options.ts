/** What a program may ask of a terminal, and the checks before anything is typed. */
import { is } from '../core/check-values.ts'
import type { LiveSession, RequestPort } from '../sessions/session-source.ts'
import { isGoal, type TerminalGoal } from './wait/terminal-goals.ts'

/** docs/seeds.md#002: agents take 30 to 120 s to answer. ms */
export const agentMs = 120_000

export type WaitOptions = {
  /** What to wait for; ready where not given. */
  readonly for?: readonly TerminalGoal[]
  /** ms; 10,000 where not given, 120,000 where a known agent runs in the foreground (docs/seeds.md#002). */
  readonly timeout?: number
  /** Decides what is ready, unless the kernel proves that the program runs. */
  readonly promptPattern?: RegExp
  /** `pattern`: the polling of docs/seeds.md#002; taken by itself where the kernel can't be asked. */
  readonly strategy?: 'kernel' | 'pattern'
  /** With the strategy `pattern`: equal captures in a row, after the first, that mean stable. */
  readonly stableCaptures?: number
  readonly signal?: AbortSignal
}

export type TypeOptions = {
  /** Presses Enter after the text (the default). */
  readonly enter?: boolean
  /** Types although it is not known what an agent does, and into pagers, editors and menus. Never into a permission, trust or password. */
  readonly force?: boolean
  /** Clears a line that is not empty; nothing is typed where it is not seen to be empty then. */
  readonly clear?: boolean
  /** Types after the text on the line. Without either option a line that is not empty is refused. */
  readonly append?: boolean
  /** Nothing more is typed once it is aborted. */
  readonly signal?: AbortSignal
  /**
   * Asked of the agent in the terminal and its last rows, as they are then, right before the text and right before Enter: a sentence
   * keeps either from being typed.
   */
  readonly unless?: (agent: LiveSession | undefined, rows: readonly string[]) => string | undefined
  /** Called before the text is judged and typed, once nobody else types here and the turn of a prompt before shows. Nothing is typed where it rejects. */
  readonly whenFree?: () => Promise<void>
  /**
   * Waits afterwards: registered before anything is typed, and for what is typed to be read. An agent that begins is waited for
   * first, within the same timeout, until its composer or a dialog shows; not with `for`, `promptPattern` or `force`.
   */
  readonly wait?: WaitOptions
  /** After the wait, a shell that does not tell how its command ended is asked: by one more line, typed at its prompt. */
  readonly asksCode?: boolean
}

export type TerminalOptions = {
  /** A tmux server: the path of its socket, or its name. The one around this program, or the default one. */
  readonly socket?: string
  /** Nothing will be typed. */
  readonly readOnly?: boolean
  /** Where what is known of agents comes from; a track of its own where not given. */
  readonly sessions?: () => Promise<readonly LiveSession[]>
  /** What their agents ask through hooks that a host holds; given with `sessions`. */
  readonly requests?: RequestPort
}

const waiting = is.options<WaitOptions>({
  for: is.listOf(is.must("a goal, like { type: 'ready' }: readGoals reads it from a text", isGoal), 1),
  timeout: is.duration,
  promptPattern: is.must('a RegExp', value => value instanceof RegExp),
  strategy: is.oneOf('kernel', 'pattern'),
  stableCaptures: is.wholeFrom(1),
  signal: is.abortSignal,
})

export const openChecks = {
  address: is.optional(is.text),
  options: is.options<TerminalOptions>({
    socket: is.text,
    readOnly: is.flag,
    sessions: is.callback,
    requests: is.record,
  }),
}

export type AnswerOptions = {
  /** The id of the dialog that is meant. */
  readonly dialog?: string
  /** An answer of one's own, where the dialog takes one; no choice then. */
  readonly text?: string
  /** No key more is pressed once it is aborted. */
  readonly signal?: AbortSignal
  /** Called once the agent has been given the answer: the key that chooses was pressed, or its hook has the decision. */
  readonly onGiven?: () => void
}

export const terminalChecks = {
  observe: {},
  settle: { patience: is.optional(is.duration) },
  agent: { patience: is.optional(is.duration) },
  send: {
    text: is.must('a text or a Buffer', value => typeof value === 'string' || value instanceof Uint8Array),
    options: is.options<TypeOptions>({
      enter: is.flag,
      force: is.flag,
      clear: is.flag,
      append: is.flag,
      signal: is.abortSignal,
      unless: is.callback,
      whenFree: is.callback,
      wait: waiting,
      asksCode: is.flag,
    }),
  },
  dialog: {},
  answer: {
    choice: is.must(
      'a text, or a list of them',
      value =>
        typeof value === 'string' || (Array.isArray(value) && value.every(one => typeof one === 'string')),
    ),
    options: is.optional(
      is.options<AnswerOptions>({
        dialog: is.text,
        text: is.text,
        signal: is.abortSignal,
        onGiven: is.callback,
      }),
    ),
  },
  keys: { names: is.listOf(is.text), options: is.optional(is.options({ signal: is.abortSignal })) },
  read: { options: is.options({ lines: is.wholeFrom(0), screen: is.flag, raw: is.flag }) },
  waitReady: { options: waiting },
}
