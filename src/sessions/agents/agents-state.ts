/** What agents-step.ts works on: the state kept of each agent on this machine, the events, and the effects. Data alone. */
import type { Agent } from '../../agents/kit/agent.ts'
import type { Signal } from '../../core/evidence/signal.ts'
import type { Session } from '../../core/session.ts'
import type { Instant } from '../../core/state.ts'
import type { Decoder } from '../../track/decode.ts'
import type { RawInput } from '../../track/raw-input.ts'
import type { AgentProcess } from '../discover/agent-search.ts'
import type { Surroundings } from '../discover/surroundings.ts'
import type { FollowEffect, FollowState, TranscriptFinding } from './follow-step.ts'

/** An agent's process, as it was found. */
export type FoundAgent = {
  readonly id: string
  readonly process: AgentProcess
  readonly surroundings: Surroundings
  /** When it started, ms since the epoch. */
  readonly startedAt: number
  readonly branch: string | undefined
  /** The path of its status file, which need not exist yet. */
  readonly status: string | undefined
}

/** What is kept of a session besides its verdict. */
export type FollowedAgent = FoundAgent & {
  readonly decoder: Decoder
  readonly follow: FollowState
  /** The agent's own id of its session, as far as it was told. */
  readonly agentSession: string | undefined
  /** How many hooks came of it. */
  readonly hooks: number
  /** Turns when it was found: what ended before says nothing of hooks. */
  readonly turnsBefore: number
  /** What stands in its files already, until it is judged. */
  readonly past?: { readonly status: string | null; readonly lines: readonly string[] }
  readonly goneAt?: Instant
}

export type AgentsState = {
  /** ms since the epoch at the clock's 0. */
  readonly epoch: number
  readonly sessions: ReadonlyMap<string, FollowedAgent>
  /** Files that were written to and were nobody's. */
  readonly strayFiles: ReadonlySet<string>
}

export type AgentsEvent =
  /** The agents that run now, by their sessions' ids. */
  | { readonly type: 'running'; readonly processes: ReadonlyMap<string, AgentProcess> }
  /** @param content of its status file */
  | { readonly type: 'found'; readonly found: FoundAgent; readonly content: string | null }
  /** What stands in its files has been told. */
  | { readonly type: 'read'; readonly id: string }
  /** Its files are looked at: a search for its transcript may be due. */
  | { readonly type: 'due'; readonly id: string }
  | { readonly type: 'searched'; readonly id: string; readonly finding: TranscriptFinding }
  /** A file has come, or was written to, where an agent's transcripts lie. */
  | { readonly type: 'stirred'; readonly agent: Agent; readonly file: string }
  /** What came at once is one step: nobody's verdict lies between the lines of a transcript that is read late. */
  | { readonly type: 'input'; readonly id: string; readonly inputs: readonly RawInput[] }
  /** @param transcript the file that it names, where that lies where its agent's transcripts lie */
  | {
      readonly type: 'hook'
      readonly id: string
      readonly input: RawInput
      readonly transcript: string | undefined
    }

export type AgentsEffect =
  | { readonly do: 'find'; readonly id: string; readonly process: AgentProcess }
  /** `look`: read what is new in its files. `stop` reading them. `forget` the session. */
  | { readonly do: 'look' | 'stop' | 'forget'; readonly id: string }
  /** It begins in a state of its own, or anew. */
  | { readonly do: 'begin'; readonly id: string; readonly session: Session }
  | { readonly do: 'file'; readonly id: string; readonly signals: readonly Signal[] }
  /** For whoever records it. */
  | { readonly do: 'record'; readonly id: string; readonly inputs: readonly RawInput[]; readonly at: Instant }
  | (Exclude<FollowEffect, { readonly do: 'lost' }> & { readonly id: string })

export type AgentsStep = { readonly state: AgentsState; readonly effects: readonly AgentsEffect[] }

/** `wall`: ms since the epoch. */
export type Time = { readonly now: Instant; readonly wall: number }

export const noAgents = ({ now, wall }: Time): AgentsState => ({
  epoch: wall - now,
  sessions: new Map(),
  strayFiles: new Set(),
})

export const living = ({ sessions }: AgentsState): FollowedAgent[] =>
  [...sessions.values()].filter(({ goneAt }) => goneAt === undefined)

export const nothing = (state: AgentsState): AgentsStep => ({ state, effects: [] })

export function after({ state, effects }: AgentsStep, step: (state: AgentsState) => AgentsStep): AgentsStep {
  const next = step(state)
  return { state: next.state, effects: [...effects, ...next.effects] }
}

export function change(
  state: AgentsState,
  id: string,
  changed: (session: FollowedAgent) => Partial<FollowedAgent>,
): AgentsState {
  const session = state.sessions.get(id)
  if (!session) return state
  return { ...state, sessions: new Map(state.sessions).set(id, { ...session, ...changed(session) }) }
}
