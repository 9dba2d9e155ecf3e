/** The verdict of one observation of a terminal, and how far it can be trusted. */
import type { Tier } from '../../core/evidence/signal.ts'
import type { Health, State } from '../../core/state.ts'

export type TerminalVerdict = {
  /** idle at shell or repl, working/command, waiting for something, exited, unknown. */
  readonly state: State
  readonly health: Health
  /** 0 to 1. */
  readonly confidence: number
  /** `proven` by the kernel or a mark of the shell's own, `seen` on the screen as well, `inferred` from patterns and quiet. */
  readonly tier: Tier
  /** One plain sentence for people: what the verdict rests on. */
  readonly why: string
  /** The process that reads, or holds, the terminal. */
  readonly reader?: number
  /** The reader wants the rest of something begun: an open quote, a here-document, `...`, a search. */
  readonly isContinuation?: boolean
  /** The prompt or question on the cursor's line, up to the cursor, where there is a screen. */
  readonly prompt?: string
  /** Exit code of the last command, where the shell reports it (OSC 133;D). */
  readonly exitCode?: number
  /** Only as good as heuristics: the program is on another machine, in a container, or another user's. Its name. */
  readonly behind?: string
  /** Not conclusive: observe again after so many ms, or at the next output, whichever is first. */
  readonly observeAgainIn?: number
}
