/** What would change a verdict: what happens by itself, what ends it, and what is waiting for its turn. */

import { judge } from '../judge/judge.ts'
import type { Session } from '../session.ts'
import { type Instant, type Kind, sameState } from '../state.ts'
import { formatDuration } from '../text/duration.ts'
import { describeState } from './explain.ts'

const endings: Readonly<Record<Kind, string>> = {
  starting: 'a prompt, a dialog, or idleness that its agent declares ends it',
  working: 'the end of its turn, a dialog, or a sign of idleness that moves after the last news ends it',
  waiting: 'an answer to what it asks, or the end of its turn ends it',
  idle: 'the next prompt ends it',
  exited: 'nothing: a process that is gone stays gone',
  unknown: 'any news of its agent',
}

/**
 * One sentence for each thing that would change the verdict.
 * @param now the instant from which times are counted, ms
 */
export function outlook(session: Session, now: Instant): string[] {
  const { verdict, signs } = session
  const lines = [endings[verdict.state.kind]]
  const { recheckAt } = verdict
  if (recheckAt !== undefined) {
    const then = judge(session, recheckAt)
    const wait = formatDuration(Math.max(0, recheckAt - now))
    const isSame = sameState(then.state, verdict.state)
    if (!isSame) lines.push(`in ${wait}, if nothing is heard, it is ${describeState(then.state)}`)
    else if (then.health.level !== verdict.health.level)
      lines.push(`in ${wait}, if nothing is heard, its health is ${then.health.level.replace('_', ' ')}`)
  }
  const news = verdict.because.find(evidence => evidence.type === 'news')
  const newsAt = news?.at ?? Infinity
  for (const { sign, onProbation, stepsOwed } of Object.values(signs)) {
    if (!sign.alive || sign.state.kind === verdict.state.kind) continue
    const said = `the ${sign.source} says ${describeState(sign.state)}`
    if (onProbation)
      lines.push(`${said}, but was late or stuck: it counts again once it has kept step with the news`)
    else if (stepsOwed > 0 && sign.state.kind === 'idle' && sign.since > newsAt)
      lines.push(`${said}: it counts once it has been seen to keep step with the news`)
    else if (sign.tier !== 'inferred') lines.push(`${said}: it counts once it moves after the last news`)
  }
  return lines
}
