/** Whom `lull go` means, one after the other: who waits, who is stuck, what failed, what is done and unseen. Pure. */
import { heldSince } from '../core/explain/explain.ts'
import { needOf, needsPerson } from './rank.ts'
import type { LiveSession } from './session-source.ts'
import { endOfTurn } from './turn-end.ts'

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
