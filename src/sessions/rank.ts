/** Who needs a person first: one order for the table, the watch and the jump. */
import { heldSince } from '../core/explain/explain.ts'
import { compareUrgency, type Need } from '../core/explain/need.ts'
import type { LiveSession } from './session-source.ts'
import { endOfTurn, isUnseen } from './turn-end.ts'

/** The stage of one, had nobody looked at it yet. */
function stageOf(live: LiveSession): number {
  const need = needOf({ ...live, isSeen: false })
  if (need === 'answer') return 0
  if (need === 'help') return 1
  const end = endOfTurn(live.session)
  return end === 'error' || end === 'limit' ? 2 : 3
}

function compare(a: LiveSession, b: LiveSession): number {
  const since = (live: LiveSession) => heldSince(live.session.verdict)
  return stageOf(a) - stageOf(b) || since(a) - since(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/**
 * @param here the session in front of the person: the next after it is meant, and after the last one the first again. It may
 *   have been seen by having been gone to.
 * @returns undefined where nobody needs a person
 */
export function nextToGo(
  sessions: readonly LiveSession[],
  here: LiveSession | undefined,
): LiveSession | undefined {
  const all = sessions.filter(needsPerson).toSorted(compare)
  const others = all.filter(({ id }) => id !== here?.id)
  const next = here && others.find(one => compare(one, here) > 0)
  return next ?? others[0] ?? all[0]
}

/** What it needs: an answer, help where it is stuck, a look at what is done, another try, the next instruction. */
export function needOf(live: LiveSession): Need {
  const { state, health } = live.session.verdict
  if (state.kind === 'exited') return 'gone'
  if (state.kind === 'waiting') return 'answer'
  if (health.level === 'likely_stuck' || health.level === 'confirmed_stuck') return 'help'
  // What keeps it going needs no person for the next thing.
  if (live.isKept && state.kind === 'idle') return 'nothing'
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
export const byNeed = (sessions: readonly LiveSession[]): readonly LiveSession[] =>
  sessions
    .map(live => ({ live, need: needOf(live), since: heldSince(live.session.verdict), id: live.id }))
    .sort(compareUrgency)
    .map(({ live }) => live)
