/** Files a sign: what a source says now, since when, and how far it is trusted. */

import type { Heard, Held, Session } from '../session.ts'
import { type Kind, sameState } from '../state.ts'
import { penance } from './audit.ts'
import type { Sign } from './signal.ts'

export function fileSign(session: Session, sign: Sign): Session {
  const held = session.signs[sign.source]
  const old = held?.sign
  if (old && sign.since < old.since) return session
  const same = old?.alive === true && sign.alive && sameState(old.says, sign.says)
  const next: Held = {
    sign: same ? { ...sign, since: old.since } : sign,
    debt: debtAfter(session.heard, sign, held),
    late: held?.late ?? false,
    paid: same && (held?.paid ?? false),
  }
  return { ...session, signs: { ...session.signs, [sign.source]: next } }
}

/** A source that is not trusted yet, and calls idle what it did not call busy, has the more to prove. */
function debtAfter(heard: Heard, sign: Sign, held: Held | undefined): number {
  if (!held) return isBusy(heard.kind) && sign.says.kind === 'idle' ? penance : 1
  const against = held.debt > 0 && sign.says.kind === 'idle' && isBusy(heard.kind)
  return against && !isBusy(held.sign.says.kind) ? penance : held.debt
}

const isBusy = (kind: Kind): boolean => kind === 'working' || kind === 'waiting'
