/**
 * Whether a session is settled: idle or exited, nothing beside its turn, no wake pending, and the same of every session that its
 * process started. What is uncertain is not settled, because others end or replace a session on the strength of it. Pure.
 */
import { nothingBesideFrom } from '../core/evidence/beside.ts'
import type { Instant } from '../core/state.ts'
import type { SessionIndex } from './session-index.ts'
import type { LiveSession } from './session-source.ts'

/** An agent that a session started right before it became idle is found by then: the search runs every 0.8 s. ms */
const foundMs = 2000

/** From when on the session alone is settled, if nothing changes; Infinity where something must change first. */
function alone({ session, owner, isSinceLook }: LiveSession): Instant {
  const { state, since } = session.verdict
  switch (state.kind) {
    case 'exited':
      return since
    case 'idle': {
      // What another user's agent runs beside its turn, or one of which a file can't be read, is not known.
      if (owner !== undefined || session.facts.degraded !== undefined) return Infinity
      // The look that found it idle also found what it had started.
      return Math.max(isSinceLook ? since : since + foundMs, nothingBesideFrom(session))
    }
    case 'starting':
    case 'working':
    case 'waiting':
    case 'unknown':
      return Infinity
  }
}

/**
 * `live` with the instant from which it is settled, without one where it is not.
 * @param index the sessions of the machine, those that are shown as another one included
 */
export function withSettled(live: LiveSession, index: SessionIndex): LiveSession {
  const { settledFrom: _, ...rest } = live
  const own = alone(live)
  const from = own === Infinity ? own : Math.max(own, ...descendantsOf(live, index).map(alone))
  return from === Infinity ? rest : { ...rest, settledFrom: from }
}

/** A process that left its parent is found below its own children only, so each is asked anew. A circle in the data ends. */
function descendantsOf({ id }: LiveSession, index: SessionIndex): readonly LiveSession[] {
  const found = new Set(index.startedBy(id))
  // A set's iteration goes on to what is added while it runs.
  for (const one of found) for (const below of index.startedBy(one.id)) found.add(below)
  return [...found]
}

/** The ids of all that would be unsettled by this session, whether or not they are sessions. */
export function idsAbove(
  { ancestors = [] }: LiveSession,
  known: ReadonlyMap<string, LiveSession>,
): ReadonlySet<string> {
  const found = new Set(ancestors)
  // A set's iteration goes on to what is added while it runs.
  for (const id of found) for (const above of known.get(id)?.ancestors ?? []) found.add(above)
  return found
}

/** All of them with the instant from which each is settled. */
export function settledOf(index: SessionIndex): readonly LiveSession[] {
  return [...index.all.values()].map(live => withSettled(live, index))
}

export const isSettled = ({ settledFrom = Infinity }: LiveSession, now: Instant): boolean =>
  now >= settledFrom
