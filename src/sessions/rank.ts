/** Who needs a person first: one order for the table, the watch and the jump. */

import { heldSince } from '../core/explain/explain.ts'
import type { Instant } from '../core/state.ts'
import type { LiveSession } from './session-source.ts'
import { endOfTurn, isUnseen } from './turn-end.ts'

/** What a session needs of a person, the most urgent first. */
const needs = ['answer', 'help', 'look', 'retry', 'instruction', 'nothing', 'unclear', 'gone'] as const
export type Need = (typeof needs)[number]

/** What it needs: an answer, help where it is stuck, a look at what is done, another try, the next instruction. */
export function needOf(live: LiveSession): Need {
  const { state, health } = live.session.verdict
  if (state.kind === 'exited') return 'gone'
  if (state.kind === 'waiting') return 'answer'
  if (health.level === 'likely_stuck' || health.level === 'confirmed_stuck') return 'help'
  if (isUnseen(live)) return 'look'
  switch (state.kind) {
    case 'idle': {
      const end = endOfTurn(live.session)
      return end === 'error' || end === 'limit' ? 'retry' : 'instruction'
    }
    case 'starting':
    case 'working':
      return 'nothing'
    case 'unknown':
      return 'unclear'
  }
}

/** It waits, is stuck, or is done and nobody has looked. */
export const needsPerson = (live: LiveSession): boolean => ['answer', 'help', 'look'].includes(needOf(live))

/** The sessions, those that need a person first; of equal need, the one in its state for the longest. */
export function byNeed(sessions: readonly LiveSession[]): readonly LiveSession[] {
  const rank = (live: LiveSession): number => needs.indexOf(needOf(live))
  const since = (live: LiveSession): Instant => heldSince(live.session.verdict)
  return [...sessions].sort(
    (a, b) => rank(a) - rank(b) || since(a) - since(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  )
}
