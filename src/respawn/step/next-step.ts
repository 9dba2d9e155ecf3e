/** Which step comes behind the one that is over, or is skipped. */
import type { RespawnState } from './respawn-state.ts'

/** The next one of this cycle that has times left, else the first of the next cycle that has. */
export function nextStep(state: RespawnState): Pick<RespawnState, 'next' | 'cycle'> {
  const { steps } = state.plan
  let { next, cycle } = state
  for (let tried = 0; tried < steps.length; tried++) {
    next++
    if (next >= steps.length) [next, cycle] = [0, cycle + 1]
    if (cycle <= (steps[next]?.times ?? Infinity)) return { next, cycle }
  }
  // None has any left: there is no cycle after this one.
  return { next: 0, cycle: Math.max(cycle, (state.plan.times ?? 0) + 1) }
}
