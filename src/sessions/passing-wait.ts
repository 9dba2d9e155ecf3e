/**
 * A wait that may be over at once: a rule or a reviewer grants a permission, and the agent reports the question all the same. The
 * verdict is right for that moment. Notifications and the history wait until only a person can end it.
 */
import { heldSince } from '../core/explain/explain.ts'
import { isObserved } from '../core/judge/living-signs.ts'
import type { Session } from '../core/session.ts'
import type { Instant } from '../core/state.ts'

/** An agent's own answer comes within this time; a person takes longer to read the question. ms */
export const passingWaitMs = 500

/** When the wait of a session has not passed. */
export const passedAt = ({ verdict }: Session): Instant => heldSince(verdict) + passingWaitMs

/** It waits, and only reports show it: neither its screen nor the kernel does. */
export const mayPass = (session: Session): boolean =>
  session.verdict.state.kind === 'waiting' && !isObserved(session)
