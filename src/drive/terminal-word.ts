/** The words of docs/seeds.md#002 for what a terminal does: one a state. */
import type { State } from '../core/state.ts'
import type { TerminalVerdict } from '../terminal/classify/terminal-verdict.ts'

export type TerminalWord =
  | 'ready'
  | 'running'
  | 'question'
  | 'password'
  | 'keypress'
  | 'pager'
  | 'editor'
  | 'frozen'
  | 'exited'
  /** Nothing changed for a while, and that is all that is known (`--strategy pattern`). */
  | 'stable'
  | 'unknown'

export function terminalWord({ state, health, isContinuation }: TerminalVerdict): TerminalWord {
  if (health.level === 'confirmed_stuck') return 'frozen'
  return isContinuation ? 'question' : wordOf(state)
}

function wordOf(state: State): TerminalWord {
  switch (state.kind) {
    case 'idle':
      return 'ready'
    case 'starting':
    case 'working':
      return 'running'
    case 'exited':
    case 'unknown':
      return state.kind
    case 'waiting':
      switch (state.for) {
        case 'password':
        case 'keypress':
        case 'pager':
        case 'editor':
          return state.for
        default:
          return 'question'
      }
  }
}
