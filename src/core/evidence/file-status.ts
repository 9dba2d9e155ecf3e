/** Files a sign: what a source says now, since when, and how far it is trusted. */

import type { KindByNews, Session, TrackedStatus } from '../session.ts'
import { type Kind, sameState } from '../state.ts'
import { probationSteps } from './audit.ts'
import type { Sign } from './signal.ts'

export function fileSign(session: Session, sign: Sign): Session {
  const held = session.signs[sign.source]
  const old = held?.sign
  if (old && sign.since < old.since) return session
  const same = old?.alive === true && sign.alive && sameState(old.says, sign.says)
  const next: TrackedStatus = {
    sign: same ? { ...sign, since: old.since } : sign,
    stepsOwed: stepsOwedAfter(session.kindByNews, sign, held),
    onProbation: held?.onProbation ?? false,
    isCounted: same && (held?.isCounted ?? false),
  }
  return { ...session, signs: { ...session.signs, [sign.source]: next } }
}

/** A source that is not trusted yet, and calls idle what it did not call busy, has the more to prove. */
function stepsOwedAfter(byNews: KindByNews, sign: Sign, held: TrackedStatus | undefined): number {
  if (!held) return isBusy(byNews.kind) && sign.says.kind === 'idle' ? probationSteps : 1
  const against = held.stepsOwed > 0 && sign.says.kind === 'idle' && isBusy(byNews.kind)
  return against && !isBusy(held.sign.says.kind) ? probationSteps : held.stepsOwed
}

const isBusy = (kind: Kind): boolean => kind === 'working' || kind === 'waiting'
