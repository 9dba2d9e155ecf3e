/** Files a report of a session's health: one signal an owner, and none once the process is gone. */
import type { Session } from '../session.ts'
import type { Instant } from '../state.ts'
import type { HealthSignal } from './signal.ts'

/** More parts than any session is watched in. The one whose last report is the oldest makes room. */
const mostOwners = 32

export function fileHealth(session: Session, signal: HealthSignal): Session {
  const { [signal.owner]: old, ...others } = session.healthByOwner
  if (session.exit || (old && signal.seen < old.seen)) return session
  if (!signal.alive) return old ? { ...session, healthByOwner: others } : session
  return { ...session, healthByOwner: { ...bounded(others), [signal.owner]: signal } }
}

function bounded(healthByOwner: Session['healthByOwner']): Session['healthByOwner'] {
  const owners = Object.keys(healthByOwner)
  if (owners.length < mostOwners) return healthByOwner
  const seen = (owner: string): Instant => healthByOwner[owner]?.seen ?? 0
  const oldest = owners.reduce((a, b) => (seen(b) < seen(a) || (seen(b) === seen(a) && b < a) ? b : a))
  const { [oldest]: _, ...kept } = healthByOwner
  return kept
}
