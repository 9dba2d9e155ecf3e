/** How a wait has ended, for people and as JSON. */

import type { WaitForOptions } from '../../connect/wait-for.ts'
import { exitCode } from '../../core/exit-codes.ts'
import { describeState } from '../../core/explain/explain.ts'
import { formatDuration } from '../../core/text/duration.ts'
import { realClock } from '../../index.ts'
import { homeFolder } from '../../sessions/caller-context.ts'
import { nameOf } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { reportedEnd } from '../../sessions/turn-end.ts'
import type { Done, Goal, WaitOutcome } from '../../sessions/wait/wait-step.ts'
import { jsonLine } from './print.ts'
import { jsonRow, sentenceOf } from './session-rows.ts'

const name = (session: LiveSession): string => nameOf(session, homeFolder())

/** What the verdict's own sentence does not say. */
const leads: Readonly<Record<WaitOutcome, string>> = {
  reached: '',
  waitsForPerson: '',
  stuck: 'stuck: ',
  gone: 'gone: ',
  turnFailed: '',
  limited: '',
  timeout: 'timeout: ',
}

export function waitSentence(
  { outcome, sessions }: Done,
  { timeout, until = 'idle' }: WaitForOptions,
): string {
  const [first, ...others] = sessions
  const lead = outcome === 'timeout' ? `not reached within ${formatDuration(timeout ?? 0)}: ` : leads[outcome]
  if (!first) return `${lead}no session`
  if (others.length > 0) {
    const each = sessions.map(session => `${name(session)} ${describeState(session.session.verdict.state)}`)
    return `${lead}${each.join(', ')}`
  }
  return `${lead}${takenBack(outcome, first)}${name(first)}: ${lastSeen(outcome, until, first)}${sentenceOf(first, realClock().now())}`
}

/** One that is forgotten with its process has no verdict on its end: the last one is of before. */
function lastSeen(outcome: WaitOutcome, until: Goal | readonly Goal[], { session }: LiveSession): string {
  const isForGone = [until].flat().every(goal => goal === 'exited')
  const isGone = outcome === 'gone' || (outcome === 'reached' && isForGone)
  return isGone && session.verdict.state.kind !== 'exited' ? 'not there any more; last seen: ' : ''
}

/** The turn failed, and nobody reported how: the verdict's sentence tells of idleness alone. */
const takenBack = (outcome: WaitOutcome, { session }: LiveSession): string =>
  outcome === 'turnFailed' && reportedEnd(session) === undefined ? 'no answer came to its last prompt: ' : ''

/** As one line of JSON. */
export const waitJson = (done: Done, waiting: WaitForOptions) =>
  jsonLine({ event: 'ended', at: new Date().toISOString(), ...waitFields(done, waiting) })

export function waitFields(done: Done, waiting: WaitForOptions) {
  const clock = realClock()
  const now = clock.now()
  return {
    outcome: done.outcome,
    code: exitCode[done.outcome],
    why: waitSentence(done, waiting),
    sessions: done.sessions.map(session => jsonRow(session, now, clock.wall() - now)),
  }
}
