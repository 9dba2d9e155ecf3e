/** What agents-step.ts works on: the state kept of each agent on this machine, the events, and the effects. Data alone. */
import type { Agent } from '../../agents/kit/agent.ts'
import type { Signal } from '../../core/evidence/signal.ts'
import type { Session } from '../../core/session.ts'
import type { Instant } from '../../core/state.ts'
import type { HaltedLook } from '../../process/linux/look-halted.ts'
import type { Decoder } from '../../track/decode.ts'
import type { RawInput } from '../../track/raw-input.ts'
import type { AgentProcess } from '../discover/agent-search.ts'
import type { Surroundings } from '../discover/surroundings.ts'
import type { FollowEffect, FollowState, TranscriptFinding } from './follow-step.ts'
import type { Halted } from './halted-step.ts'
import type { DialogLook, SeenDialog, SeenTitle } from './pane-step.ts'

/** A hook that came while an earlier host ran. */
export type PastHook = {
  /** When it came, on the machine's monotonic clock: the same line for every host until the next boot. */
  readonly at: Instant
  readonly event: string
  readonly via?: string
  readonly payload: unknown
  /** The transcript that was followed then, and the agent's own id of its session. */
  readonly transcript?: string
  readonly session?: string
}

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
  /** What is known of it without its transcript: it stays where the transcript turns out to be another's. */
  readonly apart: Session
  /** The agent's own id of its session, once a source has reported it. */
  readonly agentSession: string | undefined
  /** How many hooks came of it. */
  readonly hooks: number
  readonly title?: SeenTitle
  readonly dialog?: SeenDialog | undefined
  /** Turns when it was found: those before do not show whether hooks arrive. */
  readonly turnsBefore: number
  /** Content of its files from before it was found, until it is judged. */
  readonly past?: {
    readonly status: string | null
    readonly lines: readonly string[]
    readonly hooks: readonly PastHook[]
  }
  readonly goneAt?: Instant
  /** When another one of the agent ended in its folder, ms since the epoch: that one may have written what was written before. */
  readonly besideUntil?: number
  /** Whether somebody keeps it from going on; not looked at yet where it is absent. */
  readonly halted?: Halted | undefined
}

export type AgentsState = {
  /** ms since the epoch at the clock's 0. */
  readonly epoch: number
  readonly sessions: ReadonlyMap<string, FollowedAgent>
  /** Files that were written to and were nobody's. */
  readonly strayFiles: ReadonlySet<string>
}

/** What may happen to an agent that is followed. */
export type AgentEvent =
  /** All content of its files has been fed. */
  | { readonly type: 'read' }
  /** Its files are polled: a search for its transcript may be due. */
  | { readonly type: 'due' }
  /** A file has stirred that may be its transcript. */
  | { readonly type: 'stirred' }
  /** @param isTaken another session reads the file that was guessed */
  | { readonly type: 'searched'; readonly finding: TranscriptFinding; readonly isTaken: boolean }
  /** Another session would read the same transcript. */
  | { readonly type: 'contested' }
  /** Another process runs the session of this transcript. */
  | { readonly type: 'shared'; readonly path: string }
  | { readonly type: 'gone' }
  /** Its process was looked at: does anybody keep it from going on? */
  | { readonly type: 'looked'; readonly look: HaltedLook }
  /** What came at once is one step: nobody's verdict lies between the lines of a transcript that is read late. */
  | { readonly type: 'input'; readonly inputs: readonly RawInput[] }
  /** A look at its screen, while it asks. */
  | ({ readonly type: 'dialog' } & DialogLook)
  /** A look at the title of its pane. */
  | { readonly type: 'title'; readonly title: string }
  /**
   * @param transcript the file that it names, where that lies where its agent's transcripts lie
   * @param isShared another process reports the same transcript
   */
  | {
      readonly type: 'hook'
      readonly input: RawInput
      readonly transcript: string | undefined
      readonly isShared?: boolean
    }

export type AgentsEvent =
  /** The agents that run now, by their sessions' ids. */
  | { readonly type: 'running'; readonly processes: ReadonlyMap<string, AgentProcess> }
  /**
   * @param content of its status file
   * @param hooks those that an earlier host received
   */
  | {
      readonly type: 'found'
      readonly found: FoundAgent
      readonly content: string | null
      readonly hooks?: readonly PastHook[]
    }
  | { readonly type: 'searched'; readonly id: string; readonly finding: TranscriptFinding }
  /** A file has come, or was written to, where an agent's transcripts lie. */
  | { readonly type: 'file stirred'; readonly agent: Agent; readonly file: string }
  | (Extract<
      AgentEvent,
      { readonly type: 'read' | 'due' | 'looked' | 'input' | 'dialog' | 'title' | 'hook' }
    > & {
      readonly id: string
    })

/** What is to be done about an agent. */
export type AgentEffect =
  /** `poll`: read what is new in its files. */
  | { readonly do: 'poll' }
  /** It begins in a state of its own, or goes on in one from before. */
  | { readonly do: 'begin'; readonly session: Session }
  | { readonly do: 'file'; readonly signals: readonly Signal[] }
  /** For whoever records it. */
  | { readonly do: 'record'; readonly inputs: readonly RawInput[]; readonly at: Instant }
  | Exclude<FollowEffect, { readonly do: 'lost' }>

type Search = Extract<AgentEffect, { readonly do: 'search' }>

/** What helps to tell which transcript is an agent's. */
export type SearchHints = {
  /** Other processes of the agent that run in its folder. */
  readonly beside: readonly number[]
  /** The transcript that is followed. */
  readonly followed?: string
  /** When its process started, ms since the epoch by the clock of now. */
  readonly startedAt: number
  /** When the last other process of the agent ended in its folder, ms since the epoch. */
  readonly aloneSince?: number
}

export type AgentsEffect = { readonly id: string } & (
  | Exclude<AgentEffect, Search>
  | (Search & SearchHints)
  | { readonly do: 'find'; readonly process: AgentProcess }
  /** `show` what is new of it beside its verdict. `stop` reading its files. `forget` the session. */
  | { readonly do: 'show' | 'stop' | 'forget' }
)

export type AgentStep = { readonly agent: FollowedAgent; readonly effects: readonly AgentEffect[] }

/** Changes only: a copy of a thousand sessions at each event took a seventh of the time of `lull ps`. */
export type AgentsStep = {
  readonly epoch: number
  /** The sessions that are new or differ, as they are now. */
  readonly changed: readonly FollowedAgent[]
  readonly forgotten: readonly string[]
  readonly strayFiles?: ReadonlySet<string>
  readonly effects: readonly AgentsEffect[]
}

/** `wall`: ms since the epoch. */
export type Time = { readonly now: Instant; readonly wall: number }

/** Whoever carries out the effects keeps the sessions in one map. */
export type KeptAgents = AgentsState & { readonly sessions: Map<string, FollowedAgent> }

export const noAgents = ({ now, wall }: Time): KeptAgents => ({
  epoch: wall - now,
  sessions: new Map(),
  strayFiles: new Set(),
})

/** The state after a step, in the same map. */
export function keep({ sessions, strayFiles }: KeptAgents, step: AgentsStep): KeptAgents {
  for (const agent of step.changed) sessions.set(agent.id, agent)
  for (const id of step.forgotten) sessions.delete(id)
  return { sessions, epoch: step.epoch, strayFiles: step.strayFiles ?? strayFiles }
}

export const living = ({ sessions }: AgentsState): FollowedAgent[] =>
  [...sessions.values()].filter(({ goneAt }) => goneAt === undefined)
