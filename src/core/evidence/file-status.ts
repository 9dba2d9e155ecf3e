/** Files a sign: the present status of a source, since when, and how far the source is trusted. */

import type { Draft, KindByNews, TrackedStatus } from '../session.ts'
import { type Instant, type Kind, sameState } from '../state.ts'
import { flickerMs, probationSteps } from './audit.ts'
import { answer, forgetAnswer, press } from './presses.ts'
import type { Sign } from './signal.ts'

export function fileSign(session: Draft, sign: Sign): void {
  const { source } = sign
  const held = session.signs[source]
  const old = held?.sign
  if (old && sign.since < old.since) return
  // Each press of Enter is one of its own: the one before it may belong to a turn that is over. A later report of it is none.
  const isPress = source === 'keys'
  const same = !isPress && old?.alive === true && sign.alive && sameState(old.state, sign.state)
  const begins = isBusy(sign.state.kind) && !isBusy(old?.state.kind)
  const next: TrackedStatus = {
    busySince: begins ? sign.since : held?.busySince,
    sign: same && old.since !== sign.since ? { ...sign, since: old.since } : sign,
    stepsOwed: stepsOwedAfter(session.kindByNews, sign, held),
    onProbation: held?.onProbation ?? false,
    isCounted: same && (held?.isCounted ?? false),
  }
  session.signs = { ...session.signs, [source]: next }
  if (isPress && sign.since !== old?.since) press(session, sign.since)
  if (sign.tier === 'inferred') return
  const isBrief = isBusy(old?.state.kind) && sign.since < (held?.busySince ?? -Infinity) + flickerMs
  if (isBrief && !isBusy(sign.state.kind)) forgetAnswer(session, source)
  // A dialog with which a program starts is no work that Enter began.
  else if (begins && (old ? old.state.kind === 'idle' : sign.state.kind === 'working'))
    answer(session, source, sign.since)
}

/** A source that is not trusted yet, and calls idle what it did not call busy, has the more to prove. */
function stepsOwedAfter(byNews: KindByNews, sign: Sign, held: TrackedStatus | undefined): number {
  if (!held) return isBusy(byNews.kind) && sign.state.kind === 'idle' ? probationSteps : 1
  const against = held.stepsOwed > 0 && sign.state.kind === 'idle' && isBusy(byNews.kind)
  return against && !isBusy(held.sign.state.kind) ? probationSteps : held.stepsOwed
}

const isBusy = (kind: Kind | undefined): boolean => kind === 'working' || kind === 'waiting'

/**
 * A sign that begins no later than now. Readers make signs of many shapes: V8 reads and copies objects of one shape several
 * times as fast.
 */
export const signAt = (sign: Sign, now: Instant): Sign => ({
  type: 'sign',
  source: sign.source,
  what: sign.what,
  state: sign.state,
  excludes: sign.excludes,
  tier: sign.tier,
  lag: sign.lag,
  settles: sign.settles,
  mayBeUpFrom: sign.mayBeUpFrom,
  hold: sign.hold,
  since: sign.since > now ? now : sign.since,
  isSinceLook: sign.isSinceLook,
  seen: sign.seen,
  alive: sign.alive,
})
