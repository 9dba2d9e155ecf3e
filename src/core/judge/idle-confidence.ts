/**
 * The weighted idle confidence of docs/seeds.md#003, kept beside the verdict as a fact for those who compare. It
 * decides nothing: the verdict's own confidence is measured, this one is a sum of chosen weights.
 */
import type { Session } from '../session.ts'
import type { Instant } from '../state.ts'

/** Weights of docs/seeds.md#003, phase 5; the silence is its completion silence. */
const weights = { outputSilent: 30, tokensStable: 20, transcriptShowsCompletion: 30 } as const
const silenceMs = 10_000

/** How idle a session is by docs/seeds.md#003, 0 to 100: a definitive hook is 100, a blocking or working one 0. */
export function idleConfidence(session: Session, now: Instant): number {
  const { lanes, signs, tokensAt } = session
  const main = lanes.main
  const blocked = Object.keys(lanes).some(lane => lane.startsWith('ask:'))
  const works = session.verdict.state.kind === 'working' || session.verdict.state.kind === 'waiting'
  if (blocked || works) return 0
  const ended = main?.news.state.kind === 'idle' ? main : undefined
  if (ended?.by.includes('hook')) return 100
  const paint = signs.paint?.sign
  const sum =
    (paint && now >= paint.seen + silenceMs ? weights.outputSilent : 0) +
    (tokensAt !== undefined && now >= tokensAt + silenceMs ? weights.tokensStable : 0) +
    (ended?.by.includes('transcript') ? weights.transcriptShowsCompletion : 0)
  return Math.min(100, sum)
}
