/** Which turn is a step's, and whether an idleness is still the one that a step was decided upon. Pure. */

import { defined } from '../../core/defined.ts'
import type { Instant } from '../../core/state.ts'
import type { BeforeEnter, InFlight, RespawnState, Sighting } from './respawn-state.ts'
import { startReportMs } from './respawn-state.ts'

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

export const beforeEnter = (at: Instant, { turn, turnAt, hasHooksDue }: Sighting): BeforeEnter => ({
  at,
  turn,
  ...defined({ turnAt, hasHooksDue }),
})

/**
 * Idle, and nothing has gone on since a step was decided upon at that instant. What went on in between was a person's, and its end
 * has to be confirmed like any other.
 */
export const isStillIdle = (
  seen: Sighting,
  decided: { readonly at: Instant; readonly turn: number },
): boolean => seen.is === 'idle' && seen.turn === decided.turn && seen.since <= decided.at

/** The step that was typed, after what is seen now: its turn has begun, or another turn was reported. */
export function followed(step: InFlight, seen: Sighting, now: Instant): InFlight {
  if (step.hasBegun) return step
  if (seen.turn > step.before.turn) {
    if (isAnother(step, seen)) return { ...step, another: seen.turn }
    return isUnassigned(step, seen) ? step : { ...step, hasBegun: true }
  }
  return hasWorkedSince(step, seen, now) ? { ...step, hasBegun: true } : step
}

/**
 * A person's: it began before Enter was pressed. Or of the past, where only hooks report it, which carry no time and may be
 * arbitrarily late: the hook of the turn before was due, or the prompt is not what was typed.
 */
function isAnother({ before, another }: InFlight, seen: Sighting): boolean {
  const { turn, turnAt, isByHooksAlone, prompt } = seen
  if (turnAt !== undefined && turnAt < before.at && turnAt > (before.turnAt ?? -Infinity)) return true
  if (!isByHooksAlone) return false
  const isOwed = before.hasHooksDue === true && (another === undefined || another === turn)
  const isOther = prompt !== undefined && prompt.at >= before.at && before.text !== undefined
  return isOwed || (isOther && !isPrompt(prompt.text, before.text ?? ''))
}

/** Its prompt is reported after its beginning: until then, or until its end, its origin is unknown. */
const isUnassigned = ({ before }: InFlight, { is, isByHooksAlone, prompt }: Sighting): boolean =>
  isByHooksAlone === true && is !== 'idle' && prompt !== undefined && prompt.at < before.at

/** Enough to distinguish two prompts. Agents report only the first words, and put some of their own before them. */
const wordsOf = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 60)
const isPrompt = (reported: string, typed: string): boolean =>
  reported.replaceAll(/\s+/g, ' ').includes(wordsOf(typed))

/** Where nobody counts turns: for long enough to be no late word of the turn before. */
const hasWorkedSince = ({ before, another }: InFlight, seen: Sighting, now: Instant): boolean =>
  (seen.is === 'working' || seen.is === 'waiting') &&
  seen.turn !== another &&
  seen.since >= before.at &&
  now - seen.since >= startReportMs
