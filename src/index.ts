/**
 * lull tells, at any moment and with its evidence, whether a coding agent or any terminal program is working, idle,
 * waiting for a person or stuck, and acts on it.
 *
 * ```ts
 * import { connect } from 'lull'
 *
 * await using lull = await connect()
 * for (const { agent, cwd, session } of await lull.sessions()) console.log(agent, cwd, session.verdict.state.kind)
 * ```
 *
 * @packageDocumentation
 */

export {
  type AgentName,
  agentNames,
  type HookedName,
  hookedNames,
  isAgentName,
  mcpNames,
  skillNames,
} from './agents/agent-names.ts'
export type { HookRequest, LaterInput, RequestOption, TakenBy } from './agents/kit/hook-request.ts'
export type { Whole } from './agents/screen/dialog-top.ts'
export type { Drift } from './agents/screen/drift.ts'
export type { Option } from './agents/screen/screen-rows.ts'
export { type ConnectOptions, connect, type Lull } from './connect/connect.ts'
export type { SourceOptions } from './connect/open-source.ts'
export type { TerminalWhere } from './connect/session-machine.ts'
export type { WaitForOptions } from './connect/wait-for.ts'
export { isLullError, LullError } from './core/lull-error.ts'
export type * from './core.ts'
export type { Answered } from './drive/dialog/answer-dialog.ts'
export type { ShownDialog } from './drive/dialog/shown-dialog.ts'
export type { SendResult, Terminal } from './drive/open-terminal.ts'
export type { Sent } from './drive/send-text.ts'
export type { AnswerOptions, TerminalOptions, TypeOptions, WaitOptions } from './drive/terminal-options.ts'
export type { TerminalWord } from './drive/terminal-word.ts'
export type { ReadyOutcome } from './drive/wait/ready-step.ts'
export type { TerminalGoal } from './drive/wait/terminal-goals.ts'
export type { Answer } from './drive/wait/wait-answer.ts'
export { connectBoxes } from './fleet/load-boxes.ts'
export type { LoopOptions, LoopRun } from './loop/loop.ts'
export type { AgentSession } from './loop/loop-agent.ts'
export type * from './loop/loop-events.ts'
export type { Controls, LoopStatus } from './loop/loop-runner.ts'
export type { Uncounted, Until } from './loop/marker/marker.ts'
export { type IdleBefore, type NextRun, type NextRunOptions, nextRun } from './loop/next-run.ts'
export type { Ralph, RalphCommand } from './loop/ralph/ralph.ts'
export type { IdleRule } from './loop/step/idle-backoff.ts'
export type { Stop } from './loop/step/loop-state.ts'
export { type Env, type Places, placesOf, whyRefused, whyRuntimeRefused } from './os/file/places.ts'
export type { ProcessEnd } from './os/spawn/process-group.ts'
export type { PaneFacts } from './os/tmux/pane-facts.ts'
export { textWidth } from './os/tty/text-width.ts'
export type { TerminalSize } from './os/tty/tty.ts'
export type { TerminalEnd } from './owned/close-owned.ts'
export type { OpenOptions } from './owned/open-owned.ts'
export type * from './process/diagnosis.ts'
export type { Metrics } from './process/metrics.ts'
export type { RespawnControl } from './respawn/control/respawn-server.ts'
export type { PlanOptions } from './respawn/plan/read-plan.ts'
export type { RespawnOptions, RespawnRun } from './respawn/respawn.ts'
export type * from './respawn/respawn-events.ts'
export type { RespawnStatus } from './respawn/status.ts'
export type {
  PauseWhy,
  PlanEvent,
  RespawnPhase,
  RespawnTally,
  StopWhy,
} from './respawn/step/respawn-state.ts'
export type { Stdin } from './run/child/piped-child.ts'
export type { CliRecording } from './run/record-run.ts'
export type { Run } from './run/run.ts'
export type * from './run/run-options.ts'
export type { RunSummary } from './run/run-summary.ts'
export type { PresetName } from './run/step/presets.ts'
export type { Fallback, RunVerdict } from './run/step/run-verdict.ts'
export type { ActAt } from './run/step/stuck-action-step.ts'
export type { OnStuck } from './run/stuck-action.ts'
export type { DetectionStatus } from './sessions/detection-status.ts'
export type * from './sessions/session-source.ts'
export type { Done, Goal, WaitOutcome } from './sessions/wait/wait-step.ts'
export type { TerminalVerdict } from './terminal/classify/terminal-verdict.ts'
export type { Observation } from './terminal/observer-step.ts'
export type { OutputFeed } from './terminal/output-feed.ts'
export type * from './terminal/probe/probed.ts'
export type * from './terminal/terminal-holder.ts'
export type { PaneAddress } from './terminal/tmux-pane.ts'
export { realClock } from './track/clock.ts'
export type { Track, TrackChange } from './track/track.ts'
