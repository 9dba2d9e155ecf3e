/** A verdict in full: its sentence, all evidence that is held, the weightiest first, and what would change it. */

import { idleConfidence } from '../judge/idle-confidence.ts'
import { judge } from '../judge/judge.ts'
import type { Evidence, Verdict } from '../judge/verdict.ts'
import type { Session } from '../session.ts'
import { type Instant, type Kind, sameState } from '../state.ts'
import { formatDuration } from '../text/duration.ts'
import { oneLine } from '../text/printable.ts'
import { describeState, explain, instantOf } from './explain.ts'

/** `used`: the verdict rests on it. `note`: why it does not, or which other sources agree; may be empty. */
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

/** @param isFollowed something goes on looking at the session, as a host does */
export const explanationOf = (session: Session, now: Instant, isFollowed = true): Explanation => ({
  verdict: session.verdict,
  sentence: explain(session.verdict, now, session.facts),
  evidence: evidenceOf(session),
  wouldChange: outlook(session, now, isFollowed),
  idleConfidence: idleConfidence(session, now),
})

function evidenceOf({ verdict, lanes, signs }: Session): HeldEvidence[] {
  const rows: HeldEvidence[] = verdict.because.map(evidence => ({ evidence, used: true, note: '' }))
  // A session that came over a socket holds copies: evidence is compared by content, not by identity.
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

const endings: Readonly<Record<Kind, string>> = {
  starting: 'a prompt, a dialog, or idleness that its agent declares ends it',
  working: 'the end of its turn, a dialog, or a sign of idleness that moves after the last news ends it',
  waiting: 'an answer to what it asks, or the end of its turn ends it',
  idle: 'the next prompt ends it',
  exited: 'nothing: a process that is gone stays gone',
  unknown: 'any news of its agent',
}

/** A look at the screen counts for a while, and the next look renews it: its lapse is no forecast. */
function isLookedAtAgain({ signs }: Session, at: Instant): boolean {
  const screen = signs.screen?.sign
  return screen?.hold !== undefined && screen.seen + screen.hold === at
}

/**
 * One sentence for each thing that would change the verdict.
 * @param now the instant from which times are counted, ms
 * @param isFollowed something goes on looking: otherwise what rests on the first look at a sign comes to nothing
 */
export function outlook(session: Session, now: Instant, isFollowed = true): string[] {
  const { verdict, signs } = session
  const lines = [endings[verdict.state.kind]]
  const { recheckAt } = verdict
  if (recheckAt !== undefined && !isLookedAtAgain(session, recheckAt)) {
    const then = judge(session, recheckAt)
    const wait = formatDuration(Math.max(0, recheckAt - now))
    const isSame = sameState(then.state, verdict.state)
    const isMoot = !isFollowed && then.because.some(one => one.type === 'sign' && one.isSinceLook)
    if (!isSame && !isMoot) lines.push(`in ${wait}, if nothing is heard, it is ${describeState(then.state)}`)
    else if (!isMoot && then.health.level !== verdict.health.level)
      lines.push(`in ${wait}, if nothing is heard, its health is ${then.health.level.replace('_', ' ')}`)
  }
  const news = verdict.because.find(evidence => evidence.type === 'news')
  const newsAt = news?.at ?? Infinity
  for (const { sign, onProbation, stepsOwed } of Object.values(signs)) {
    if (!sign.alive || sign.state.kind === verdict.state.kind) continue
    const claim = `the ${sign.source} says ${describeState(sign.state)}`
    if (onProbation)
      lines.push(`${claim}, but was late or stuck: it counts again once it has kept step with the news`)
    else if (stepsOwed > 0 && sign.state.kind === 'idle' && sign.since > newsAt)
      lines.push(`${claim}: it counts once it has been seen to keep step with the news`)
    else if (sign.tier !== 'inferred') lines.push(`${claim}: it counts once it moves after the last news`)
  }
  return lines
}
