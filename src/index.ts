/**
 * lull tells, at any moment and with its evidence, whether a coding agent is working, idle, waiting for a person or
 * stuck.
 *
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { explain, replay } from 'lull'
 *
 * for (const { at, verdict } of replay(readFileSync('session.cast', 'utf8').split('\n'))) {
 *   console.log(at / 1000, verdict.state.kind, explain(verdict, at))
 * }
 * ```
 *
 * @packageDocumentation
 */

export { type AgentName, agentNames } from './agents/agent-names.ts'
export type { Agent } from './agents/kit/agent.ts'
export { agents } from './agents/registry.ts'
export { advance, startedSession } from './core/advance.ts'
export type { Clock, Timer } from './core/clock.ts'
export type {
  Exit,
  FactSignal,
  Facts,
  Lane,
  Limit,
  News,
  Sign,
  Signal,
  Source,
  Tier,
} from './core/evidence/signal.ts'
export type { ExitCode } from './core/exit-codes.ts'
export { describeState, explain, explainWhy } from './core/explain/explain.ts'
export { idleConfidence } from './core/judge/idle-confidence.ts'
export { judge } from './core/judge/judge.ts'
export type { Evidence, Rule, Verdict } from './core/judge/verdict.ts'
export { type ErrorCode, type ErrorFacts, isLullError, LullError } from './core/lull-error.ts'
export { newSession, type Session } from './core/session.ts'
export type { Doing, Health, IdleAfter, Instant, Kind, State, WaitingFor } from './core/state.ts'
export { formatDuration, parseDuration } from './core/text/duration.ts'
export { type Grid, type RegionName, region } from './core/text/grid.ts'
export type { Complaint, TraceEvent, TraceHeader } from './core/trace/trace.ts'
export {
  openTerminal,
  type SendResult,
  type Terminal,
  type TerminalOptions,
  type TypeOptions,
  type WaitOptions,
} from './drive/open-terminal.ts'
export type { Goal as TerminalGoal } from './drive/terminal-goals.ts'
export type { Answer } from './drive/wait-answer.ts'
export { hostSessions } from './host/host-client.ts'
export { type LoopOptions, type LoopRun, loop, openRalph } from './loop/loop.ts'
export type { AgentSession } from './loop/loop-agent.ts'
export type { Happening, LoopEvent, Outcome } from './loop/loop-events.ts'
export { findMarker, type Marker } from './loop/marker/marker.ts'
export type { Ralph } from './loop/ralph/ralph.ts'
export { type Places, placesOf } from './os/file/places.ts'
export type { Diagnosis, Wait } from './process/diagnosis.ts'
export type { Stdin } from './run/child/piped-child.ts'
export { type Run, run } from './run/run.ts'
export type { RunEnd, RunOptions } from './run/run-options.ts'
export type { RunSummary } from './run/run-summary.ts'
export type { PresetName } from './run/step/presets.ts'
export type { Fallback, RunVerdict } from './run/step/run-verdict.ts'
export type { ActAt } from './run/step/stuck-action-step.ts'
export type { OnStuck } from './run/stuck-action.ts'
export { findSession, type Here } from './sessions/address.ts'
export { type LastingChanges, lastingChanges } from './sessions/lasting-changes.ts'
export { type LocalSessions, type LocalSessionsOptions, localSessions } from './sessions/local-sessions.ts'
export type { HookHearing, LiveChange, LiveSession, SessionSource } from './sessions/session-source.ts'
export { type WaitPorts, wait } from './sessions/wait/wait.ts'
export type { Done, Goal, WaitOutcome, WaitRequest } from './sessions/wait/wait-step.ts'
export type { TerminalVerdict } from './terminal/classify/terminal-verdict.ts'
export type { Observation } from './terminal/observer-step.ts'
export { readTranscript, type TranscriptInput } from './track/bare-transcript.ts'
export { realClock, type VirtualClock, virtualClock } from './track/clock.ts'
export { type Decoder, decode, decodeRow, newDecoder } from './track/decode.ts'
export { type Change, type ReplayOptions, replay, replayEvents } from './track/replay.ts'
export { createTrack, type Track, type TrackChange } from './track/track.ts'
