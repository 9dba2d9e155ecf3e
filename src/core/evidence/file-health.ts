/** Files what is told of a session's health: one signal an owner, and none once the process is gone. */
import type { Session } from '../session.ts'
import type { Instant } from '../state.ts'
import type { HealthSignal } from './signal.ts'

/** More parts than any session is watched in. The one that was heard of least lately makes room. */
const mostOwners = 32

export function fileHealth(session: Session, signal: HealthSignal): Session {
  const { [signal.owner]: old, ...others } = session.vitals
  if (session.exit || (old && signal.seen < old.seen)) return session
  if (!signal.alive) return old ? { ...session, vitals: others } : session
  return { ...session, vitals: { ...bounded(others), [signal.owner]: signal } }
}

function bounded(vitals: Session['vitals']): Session['vitals'] {
  const owners = Object.keys(vitals)
  if (owners.length < mostOwners) return vitals
  const seen = (owner: string): Instant => vitals[owner]?.seen ?? 0
  const oldest = owners.reduce((a, b) => (seen(b) < seen(a) || (seen(b) === seen(a) && b < a) ? b : a))
  const { [oldest]: _, ...kept } = vitals
  return kept
}
