/** What the loop's step works on: the plan, the state, what comes in and what is to be done. Data alone. */
import type { Facts } from '../../core/evidence/signal.ts'
import type { IdleAfter, Instant, State } from '../../core/state.ts'
import type { CommandResult, DelayWhy, Happening, Outcome, Tally } from '../loop-events.ts'
import type { Marker, Uncounted } from '../marker/marker.ts'
import type { IdleRule, IdleRun } from './idle-backoff.ts'

/** What was asked for; durations in ms. */
export type Plan = {
  readonly ralph: string
  readonly agent: readonly string[]
  readonly commandCount: number
  /** What was passed over in the file, for people. */
  readonly warnings: readonly string[]
  readonly maxIterations?: number
  readonly stopOnError: boolean
  readonly delay: number
  readonly timeout?: number
  readonly idle?: IdleRule
}

/** How a run of the agent ended. */
export type AgentResult = {
  readonly code?: number
  readonly signal?: string
  /** Why it could not be started. */
  readonly notStarted?: string
  /** How its last turn ended, where its rows tell. */
  readonly turn?: IdleAfter
  readonly error?: string
  /** When the provider's limit ends. */
  readonly limitUntil?: Instant
  readonly resultText?: string
  readonly marker?: Marker
  /** A marker that its message only shows. */
  readonly uncounted?: Uncounted
}

/** When the running program got the signal to end, and why. */
export type Ending = { readonly why: 'timeout' | 'stop'; readonly at: Instant; readonly isHard: boolean }

/** A wait; `untilWall` is ms since the epoch, for one that was given as a time of day. */
export type Delay = {
  readonly why: DelayWhy
  readonly from: Instant
  readonly until: Instant
  readonly untilWall?: number
}

export type Phase =
  | { readonly kind: 'new' }
  /** `agentAt` is when the agent was started; before, the commands run. */
  | {
      readonly kind: 'iterating'
      readonly from: Instant
      readonly agentAt?: Instant
      readonly ending?: Ending
    }
  | { readonly kind: 'delaying'; readonly delay: Delay }
  | { readonly kind: 'paused'; readonly at: Instant; readonly delay?: Delay }
  | { readonly kind: 'stopped'; readonly outcome: Outcome }

/** How the loop stops; asked for in an iteration, it stops once that is over. `reason` is the agent's. */
export type Stop = { readonly outcome: Outcome; readonly signal?: string; readonly reason?: string }

export type LoopState = {
  readonly plan: Plan
  readonly phase: Phase
  readonly startedAt: Instant
  readonly iteration: number
  readonly idle?: IdleRun
  /** Runs in a row that the provider's limit ended. */
  readonly limits: number
  /** Runs in a row that ended at once. */
  readonly quickEnds: number
  /** When a wait was skipped: a second Ctrl+C soon after stops. */
  readonly skippedAt?: Instant
  readonly stop?: Stop
  readonly isPauseAsked: boolean
  /** That markers change nothing here was reported. */
  readonly isNoted: boolean
  readonly tally: Tally
}

type What =
  | { readonly type: 'begin' }
  /** The commands are over, and the prompt is complete. */
  | { readonly type: 'prepared'; readonly prompt: string; readonly results: readonly CommandResult[] }
  | { readonly type: 'agent_state'; readonly state: State; readonly facts: Facts }
  | { readonly type: 'agent_ended'; readonly result: AgentResult }
  | { readonly type: 'time' }
  /** Ctrl+C. */
  | { readonly type: 'interrupt' }
  | { readonly type: 'terminate'; readonly signal?: string }
  /** What it waits for, or a pause, is over now. An iteration goes on. */
  | { readonly type: 'skip' }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }

/** `now` is monotonic; `wall` is ms since the epoch, for times of day alone. */
export type Input = What & { readonly now: Instant; readonly wall: number }

export type LoopEffect =
  | { readonly do: 'emit'; readonly event: Happening }
  /** Run the commands and put the prompt together; answered by `prepared`. */
  | { readonly do: 'prepare'; readonly iteration: number }
  /** Answered by `agent_ended`. */
  | { readonly do: 'start_agent'; readonly iteration: number; readonly prompt: string }
  /** End what runs, with all that it started: SIGTERM, or SIGKILL. Answered by `prepared` or `agent_ended`. */
  | { readonly do: 'end'; readonly how: 'soft' | 'hard' }
  /** The one timer: answered by `time` at that instant or later. */
  | { readonly do: 'timer'; readonly at: Instant }
  | { readonly do: 'no_timer' }
  | { readonly do: 'stop'; readonly stop: Stop }

export type LoopStep = { readonly state: LoopState; readonly effects: readonly LoopEffect[] }

export const emit = (event: Happening): LoopEffect => ({ do: 'emit', event })
export const log = (level: 'info' | 'warning', message: string): LoopEffect =>
  emit({ type: 'LOG_MESSAGE', level, message })

/** Effects that come before those of the step. */
export const after = (effects: readonly LoopEffect[], { state, effects: more }: LoopStep): LoopStep => ({
  state,
  effects: [...effects, ...more],
})
