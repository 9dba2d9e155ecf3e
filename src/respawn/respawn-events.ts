/** The events of a respawn: one union for programs, for `--json` and for the history. */
import type { PlanEvent } from './step/respawn-state.ts'

export type RespawnEvent =
  | PlanEvent
  /** What a dry run would have done. */
  | { readonly type: 'would_send'; readonly step: number; readonly text: string }
  /** A dialog, to the person: no rule allows it, or it could not be answered. */
  | { readonly type: 'left' }
  /** A source, the history or the judge fails; or what is allowed, and seldom meant. */
  | { readonly type: 'warning' }

/** `why`: the evidence, as a sentence. `time`: ms since the epoch. `text`: what was typed, or what a dialog asked. */
export type TimedRespawnEvent = RespawnEvent & {
  readonly time: number
  readonly why: string
  readonly text?: string
}
