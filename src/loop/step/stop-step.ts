/** The end of a loop, and the sentence that tells a person why it ended. */

import type { Instant } from '../../core/state.ts'
import { formatDuration } from '../../core/text/duration.ts'
import { emit, type LoopState, type LoopStep, type Stop } from './loop-state.ts'

export function stopped(state: LoopState, stop: Stop, now: Instant): LoopStep {
  const { outcome, signal } = stop
  const { iteration, tally, startedAt } = state
  return {
    state: { ...state, phase: { kind: 'stopped', outcome } },
    effects: [
      { do: 'no_timer' },
      emit({
        type: 'RUN_STOPPED',
        outcome,
        message: sentence(state, stop),
        ...(signal === undefined ? {} : { signal }),
        iterations: iteration,
        tally,
        duration: now - startedAt,
      }),
      { do: 'stop', stop },
    ],
  }
}

function sentence({ iteration, plan }: LoopState, { outcome, signal, reason }: Stop): string {
  const because = reason === undefined ? '' : `: ${reason}`
  switch (outcome) {
    case 'done':
      return `the agent says that the work is done${because}`
    case 'max_iterations':
      return iteration === 1 ? 'the one iteration is over' : `all ${iteration} iterations are over`
    case 'idle_max':
      return `there was nothing to do for ${formatDuration(plan.idle?.max ?? 0)}, the most that idle.max allows`
    case 'blocked':
      return `the agent needs a person${because}`
    case 'failed':
      return `iteration ${iteration} failed, and --stop-on-error is set`
    case 'timed_out':
      return `iteration ${iteration} took too long, and --stop-on-error is set`
    case 'limited':
      return `iteration ${iteration} ran into the provider’s limit, and --stop-on-error is set`
    case 'interrupted':
      return 'stopped by Ctrl+C'
    case 'terminated':
      return signal === undefined ? 'stopped' : `stopped by ${signal}`
  }
}
