/**
 * Terminals: read the screen, wait until a program is ready for the next line, type text and keys.
 *
 * ```ts
 * import { openTerminal } from 'lull/terminal'
 *
 * await using terminal = await openTerminal('tmux:work:1.0')
 * const { answer } = await terminal.send('npm test', { wait: { timeout: 60_000 } })
 * console.log(answer?.state, answer?.screen.at(-1))
 * ```
 *
 * @packageDocumentation
 */

export type { AgentName } from './agents/agent-names.ts'
export type { HookRequest, LaterInput, RequestOption, TakenBy } from './agents/kit/hook-request.ts'
export type { Whole } from './agents/screen/dialog-top.ts'
export type { Drift } from './agents/screen/drift.ts'
export type { Option } from './agents/screen/screen-rows.ts'
export type * from './core.ts'
export type { Answered } from './drive/dialog/answer-dialog.ts'
export type { ShownDialog } from './drive/dialog/shown-dialog.ts'
export type { SendResult, Terminal } from './drive/open-terminal.ts'
export { openTerminal } from './drive/open-terminal.ts'
export type { Sent } from './drive/send-text.ts'
export type { AnswerOptions, TerminalOptions, TypeOptions, WaitOptions } from './drive/terminal-options.ts'
export type { TerminalWord } from './drive/terminal-word.ts'
export type { ReadyOutcome } from './drive/wait/ready-step.ts'
export { isTerminalGoal, readGoals, type TerminalGoal } from './drive/wait/terminal-goals.ts'
export type { Answer } from './drive/wait/wait-answer.ts'
export type { PaneFacts } from './os/tmux/pane-facts.ts'
export type {
  AskedRequest,
  HookReception,
  LiveSession,
  RequestPort,
} from './sessions/session-source.ts'
export type { TerminalVerdict } from './terminal/classify/terminal-verdict.ts'
export type { Observation } from './terminal/observer-step.ts'
export type { OutputFeed } from './terminal/output-feed.ts'
export type * from './terminal/probe/probed.ts'
export type * from './terminal/terminal-holder.ts'
export type { PaneAddress } from './terminal/tmux-pane.ts'
