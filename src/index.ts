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

export { type LastingChanges, lastingChanges, SourceError } from './act/changes.ts'
export type { AgentSession } from './act/loop/agent.ts'
export type { Happening, LoopEvent, Outcome } from './act/loop/events.ts'
export { RalphError } from './act/loop/frontmatter.ts'
export { type LoopOptions, type LoopRun, loop, openRalph } from './act/loop/loop.ts'
export { findMarker, type Marker } from './act/loop/marker.ts'
export type { Ralph } from './act/loop/ralph.ts'
export type { OnStuck } from './act/run/act.ts'
export type { Stdin } from './act/run/child.ts'
export { RunError } from './act/run/errors.ts'
export type { ActAt } from './act/run/on-stuck.ts'
export type { PresetName } from './act/run/presets.ts'
export { type Run, type RunEnd, type RunOptions, run } from './act/run/run.ts'
export type { RunSummary } from './act/run/summary.ts'
export type { Fallback, RunVerdict } from './act/run/verdict.ts'
export type { Answer } from './act/terminal/answer.ts'
export type { Goal as TerminalGoal } from './act/terminal/goals.ts'
export type { Look } from './act/terminal/open-pane.ts'
export { RefusedError } from './act/terminal/refusal.ts'
export {
  openTerminal,
  type SendResult,
  type Terminal,
  type TerminalOptions,
  type TypeOptions,
  type WaitOptions,
} from './act/terminal/terminal.ts'
export { type WaitPorts, wait } from './act/wait.ts'
export type { Done, Goal, Outcome as WaitOutcome, WaitRequest } from './act/wait-step.ts'
export { agentNames, agents } from './agents/registry.ts'
export type { Agent, AgentName } from './agents/shape.ts'
export { DurationError, formatDuration, parseDuration } from './core/duration.ts'
export { describeState, explain, explainWhy } from './core/explain.ts'
export { idleConfidence } from './core/idle-confidence.ts'
export { judge } from './core/judge.ts'
export type { Clock, Timer } from './core/ports.ts'
export { type Grid, type RegionName, region } from './core/screen.ts'
export { advance, newSession, type Session, startedSession } from './core/session.ts'
export type { Exit, FactSignal, Facts, Lane, Limit, News, Sign, Signal, Source, Tier } from './core/signal.ts'
export type { Doing, Health, IdleAfter, Instant, Kind, State, WaitingFor } from './core/state.ts'
export { type Complaint, TraceError, type TraceEvent, type TraceHeader } from './core/trace.ts'
export type { Evidence, Rule, Verdict } from './core/verdict.ts'
export { HostError, hostLive } from './host/client.ts'
export { type Places, placesOf } from './sense/places.ts'
export type { Diagnosis, Wait } from './sense/process/diagnosis.ts'
export type { TerminalVerdict } from './sense/terminal/terminal-verdict.ts'
export { realClock, type VirtualClock, virtualClock } from './track/clock.ts'
export { type Decoder, decode, decodeRow, newDecoder } from './track/decode.ts'
export { AddressError, findSession, type Here } from './track/live/address.ts'
export type { HookHearing, Live, LiveChange, LiveSession } from './track/live/live.ts'
export { type OwnLive, type OwnLiveOptions, ownLive } from './track/live/own.ts'
export { type Change, type ReplayOptions, replay, replayEvents, UnknownAgentError } from './track/replay.ts'
export { createTrack, type Track, type TrackChange } from './track/track.ts'
export { readTranscript, TranscriptError, type TranscriptInput } from './track/transcript.ts'
