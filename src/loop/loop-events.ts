/** The events that a loop emits: one union, the same for a program and for `--json`. Durations are ms. */
import type { State, WaitingFor } from '../core/state.ts'
import type { Until } from './marker/marker.ts'

/** How a loop ended; `docs/exit-codes.md` has a code for each. */
export type Outcome =
  /** The agent reported that the work is done. */
  | 'done'
  /** As many iterations as were asked for. */
  | 'max_iterations'
  /** Idle for `idle.max`. */
  | 'idle_max'
  /** The agent reported that it needs a person. */
  | 'blocked'
  /** With `--stop-on-error`: the agent failed, did not end in time, ran into the provider's limit. */
  | 'failed'
  | 'timed_out'
  | 'limited'
  /** Ctrl+C. */
  | 'interrupted'
  /** A signal, or the reader of the events left. */
  | 'terminated'

/** How iterations ended, each counted once. */
export type Tally = {
  readonly completed: number
  readonly idle: number
  readonly failed: number
  readonly timedOut: number
  readonly limited: number
}

/** Why the loop waits: `--delay`; idle, and the agent's own delay; a limit's reset; agents that end at once. */
export type DelayWhy = 'delay' | 'idle' | 'until' | 'limit' | 'at_once'

export type CommandResult = {
  readonly name: string
  readonly code?: number
  /** What kept it from an exit code of its own. */
  readonly problem?: 'timed_out' | 'not_found' | 'killed'
}

export type OfIteration = { readonly iteration: number }
export type IterationEnd = OfIteration & {
  /** Of the iteration, its commands included. */
  readonly duration: number
  /** The agent's final message, its last 4,000 characters. */
  readonly resultText?: string
}

export type Happening =
  | {
      readonly type: 'RUN_STARTED'
      readonly ralph: string
      readonly agent: readonly string[]
      readonly maxIterations?: number
    }
  | {
      readonly type: 'RUN_STOPPED'
      readonly outcome: Outcome
      readonly message: string
      readonly signal?: string
      readonly iterations: number
      readonly tally: Tally
      readonly duration: number
    }
  | { readonly type: 'RUN_PAUSED' }
  | { readonly type: 'RUN_RESUMED' }
  | (OfIteration & { readonly type: 'ITERATION_STARTED' })
  | (IterationEnd & { readonly type: 'ITERATION_COMPLETED' })
  | (IterationEnd & {
      readonly type: 'ITERATION_FAILED'
      readonly reason: 'exit' | 'signal' | 'not_started' | 'turn' | 'limit' | 'stopped'
      readonly exitCode?: number
      readonly signal?: string
      readonly error?: string
    })
  | (IterationEnd & { readonly type: 'ITERATION_TIMED_OUT'; readonly timeout: number })
  /** Instead of ITERATION_COMPLETED, where the file has an `idle:` block. */
  | (IterationEnd & {
      readonly type: 'ITERATION_IDLE'
      readonly state: 'idle' | 'waiting' | 'blocked'
      readonly reason?: string
      /** Idle iterations in a row, this one included. */
      readonly idleCount: number
      /** Since the first of them ended. */
      readonly idleFor: number
      /** null where the loop stops. */
      readonly nextDelay: number | null
    })
  /** A state marker, with or without an `idle:` block. */
  | (OfIteration & {
      readonly type: 'STATE_REPORTED'
      readonly name: string
      /** Of the vocabulary. */
      readonly isKnown: boolean
      readonly reason?: string
      readonly until?: Until
    })
  /** A person is needed: by the marker, or by a dialog that the running agent shows. */
  | (OfIteration & {
      readonly type: 'BLOCKED'
      readonly by: 'marker' | 'agent'
      readonly reason?: string
      readonly for?: WaitingFor
    })
  | (OfIteration & { readonly type: 'DELAY_STARTED'; readonly why: DelayWhy; readonly delay: number })
  | (OfIteration & {
      readonly type: 'DELAY_ENDED'
      readonly why: 'elapsed' | 'skipped' | 'paused' | 'stopped'
      readonly waited: number
    })
  | (OfIteration & { readonly type: 'COMMANDS_STARTED'; readonly count: number })
  | (OfIteration & { readonly type: 'COMMANDS_COMPLETED'; readonly results: readonly CommandResult[] })
  | (OfIteration & { readonly type: 'PROMPT_ASSEMBLED'; readonly promptLength: number })
  | (OfIteration & { readonly type: 'AGENT_ACTIVITY'; readonly state: State; readonly tool?: string })
  | (OfIteration & {
      readonly type: 'AGENT_OUTPUT_LINE'
      readonly stream: 'stdout' | 'stderr'
      readonly line: string
    })
  | { readonly type: 'LOG_MESSAGE'; readonly level: 'info' | 'warning'; readonly message: string }

/** `time` is ms since the epoch. */
export type LoopEvent = Happening & { readonly time: number }
