/**
 * What is known of each CLI, and recordings judged again. Pure: it runs in a browser as it is.
 *
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { replay } from 'lull/agents'
 *
 * for (const { at, verdict } of replay(readFileSync('session.cast', 'utf8').split('\n')))
 *   console.log(at / 1000, verdict.state.kind)
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
export type { CommandLine } from './agents/command-lines.ts'
export type {
  Agent,
  Headless,
  HookedAgent,
  HookInput,
  LineInput,
  Memory,
  Moment,
  Reader,
  Reading,
  RowShape,
  StatusInput,
  StatusOrigin,
} from './agents/kit/agent.ts'
export { hasHooks } from './agents/kit/agent.ts'
export type * from './agents/kit/hook-plan.ts'
export type { HookRequest, LaterInput, RequestOption, TakenBy } from './agents/kit/hook-request.ts'
export type { McpPlan, ServerCommand, SkillFolders } from './agents/kit/mcp-plan.ts'
export type { Osc, OscRest } from './agents/kit/osc.ts'
export { agents } from './agents/registry.ts'
export type { ScreenPart } from './agents/screen/screen-layout.ts'
export type { ScreenMemory } from './agents/screen/screen-memory.ts'
export type { RowPattern, ScreenRule, ScreenRules } from './agents/screen/screen-rule.ts'
export type { ReadScreen } from './agents/screen/state-words.ts'
export type * from './core.ts'
export type { Paint } from './terminal/paint.ts'
export type * from './track/bare-transcript.ts'
export { readTranscript } from './track/bare-transcript.ts'
export { type VirtualClock, virtualClock } from './track/clock.ts'
export { type Decoded, type Decoder, decode, decodeRow, newDecoder } from './track/decode.ts'
export type { Asked } from './track/granted.ts'
export { type Change, commandName, type ReplayOptions, replay, replayEvents } from './track/replay.ts'
export { createTrack, type Track, type TrackChange } from './track/track.ts'
export type { Begun, LogWriters, OtherWriter, ProcessOrigin } from './track/writers.ts'
