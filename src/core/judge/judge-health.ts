/**
 * Whether a session can still make progress: what those tell who look into its processes, the worst first, and where
 * nobody does, its own silence.
 */

import type { HealthSignal } from '../evidence/signal.ts'
import type { Session } from '../session.ts'
import type { Health, Instant, State } from '../state.ts'
import { healthy } from './verdict.ts'

/** A turn that is silent for this long is worth a look (docs/research/respawn.md#defaults: a warning at 5 min). */
const silentMs = 300_000

type Judged = {
  readonly health: Health
  /** What it rests on, where somebody reported it. */
  readonly by?: HealthSignal
  readonly recheckAt: Instant
}

export function judgeHealth(session: Session, state: State, now: Instant): Judged {
  if (state.kind === 'exited') return { health: healthy, recheckAt: Infinity }
  const reported = worstReported(session, state, now)
  return reported ?? judgeSilence(session, state, now)
}

/** Silence alone is never more than suspicious: tools, retries and background work may lawfully be silent for hours. */
function judgeSilence(session: Session, state: State, now: Instant): Judged {
  const quiet =
    state.kind === 'working' &&
    (state.doing === undefined || state.doing === 'thinking' || state.doing === 'streaming')
  if (!quiet) return { health: healthy, recheckAt: Infinity }
  const at = lastProgress(session)
  if (now < at + silentMs) return { health: healthy, recheckAt: at + silentMs }
  return { health: { level: 'suspicious', cause: 'no_progress', certainty: 'low' }, recheckAt: Infinity }
}

const levels: readonly Health['level'][] = ['healthy', 'suspicious', 'likely_stuck', 'confirmed_stuck']

function worstReported({ healthByOwner }: Session, state: State, now: Instant): Judged | undefined {
  let worst: HealthSignal | undefined
  let recheckAt = Infinity
  for (const owner in healthByOwner) {
    const signal = healthByOwner[owner] as HealthSignal
    const until = signal.seen + (signal.hold ?? Infinity)
    if (now >= until) continue
    recheckAt = Math.min(recheckAt, until)
    // Whoever is ready for input reads its input.
    if (state.kind === 'idle' && signal.health.cause === 'stdin') continue
    if (!worst || outranks(signal, worst)) worst = signal
  }
  return worst && { health: worst.health, by: worst, recheckAt }
}

/** Of equal ones the first by name, so that the order in which they came changes nothing. */
const outranks = (a: HealthSignal, b: HealthSignal): boolean =>
  rankOf(a) === rankOf(b) ? a.owner < b.owner : rankOf(a) > rankOf(b)

/** A session that can't move at all outranks any part of it. */
const rankOf = ({ health, isHalted }: HealthSignal): number =>
  isHalted ? levels.length : levels.indexOf(health.level)

/** The last instant at which anything but paint moved: a spinner is no progress. */
function lastProgress(session: Session): Instant {
  let last = -Infinity
  for (const lane in session.lanes) last = Math.max(last, session.lanes[lane]?.news.seen ?? last)
  for (const source in session.signs) {
    const sign = session.signs[source]?.sign
    if (sign && sign.tier !== 'inferred') last = Math.max(last, sign.since)
  }
  return last
}
