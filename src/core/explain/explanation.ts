/** A verdict in full: its sentence, all evidence that is held, the weightiest first, and what would change it. */
import { idleConfidence } from '../judge/idle-confidence.ts'
import type { Evidence, Verdict } from '../judge/verdict.ts'
import type { Session } from '../session.ts'
import type { Instant } from '../state.ts'
import { oneLine } from '../text/printable.ts'
import { explain, instantOf } from './explain.ts'
import { outlook } from './outlook.ts'

/** `used`: the verdict rests on it. `note`: why it does not, or who else said so; empty where there is nothing to say. */
export type HeldEvidence = { readonly evidence: Evidence; readonly used: boolean; readonly note: string }

export type Explanation = {
  readonly verdict: Verdict
  /** For a tired person. */
  readonly sentence: string
  readonly evidence: readonly HeldEvidence[]
  /** One sentence for each thing that would change the verdict. */
  readonly wouldChange: readonly string[]
  /** The weighted confidence of docs/seeds.md#003, percent. */
  readonly idleConfidence: number
}

export const explanationOf = (session: Session, now: Instant): Explanation => ({
  verdict: session.verdict,
  sentence: explain(session.verdict, now, session.facts),
  evidence: evidenceOf(session),
  wouldChange: outlook(session, now),
  idleConfidence: idleConfidence(session, now),
})

function evidenceOf({ verdict, lanes, signs }: Session): HeldEvidence[] {
  const rows: HeldEvidence[] = verdict.because.map(evidence => ({ evidence, used: true, note: '' }))
  // A session that came over a socket holds copies: evidence is known by what it says, not by identity.
  const used = new Set(verdict.because.map(keyOf))
  for (const [lane, { news, by }] of Object.entries(lanes)) {
    const witnesses = by.length > 1 ? `, also told by ${by.filter(s => s !== news.source).join(', ')}` : ''
    if (!used.has(keyOf(news)))
      rows.push({ evidence: news, used: false, note: `lane ${oneLine(lane, 60)}${witnesses}` })
  }
  for (const { sign, onProbation } of Object.values(signs)) {
    const note = onProbation ? 'late or stuck: does not count' : sign.alive ? '' : 'gone'
    if (!used.has(keyOf(sign))) rows.push({ evidence: sign, used: false, note })
  }
  return rows
}

const keyOf = (evidence: Evidence): string =>
  `${evidence.type} ${evidence.source} ${instantOf(evidence)} ${evidence.what}`
