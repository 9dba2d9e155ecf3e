/** Whether a session can still make progress, as far as an agent's own signals tell. Process truth refines it. */
import type { Session } from './session.ts'
import type { Health, Instant, State } from './state.ts'
import { healthy } from './verdict.ts'

/** A turn that is silent for this long is worth a look (respawn.md: stuck warning at 5 min). */
const silentMs = 300_000

/** Silence alone is never more than suspicious: tools, retries and background work may lawfully be silent for hours. */
export function judgeHealth(
  session: Session,
  state: State,
  now: Instant,
): { health: Health; recheckAt: Instant } {
  const quiet =
    state.kind === 'working' &&
    (state.doing === undefined || state.doing === 'thinking' || state.doing === 'streaming')
  if (!quiet) return { health: healthy, recheckAt: Infinity }
  const heard = lastHeard(session)
  if (now < heard + silentMs) return { health: healthy, recheckAt: heard + silentMs }
  return { health: { level: 'suspicious', cause: 'no_progress', certainty: 'low' }, recheckAt: Infinity }
}

/** The last instant at which anything but paint moved: a spinner is no progress. */
function lastHeard(session: Session): Instant {
  let heard = -Infinity
  for (const lane in session.lanes) heard = Math.max(heard, session.lanes[lane]?.news.seen ?? heard)
  for (const source in session.signs) {
    const sign = session.signs[source]?.sign
    if (sign && sign.tier !== 'inferred') heard = Math.max(heard, sign.since)
  }
  return heard
}
