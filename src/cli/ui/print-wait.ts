/** How a wait has ended, for people and as JSON. */

import type { WaitForOptions } from '../../connect/wait-for.ts'
import { absentOf, everyone } from '../../connect/wait-whom.ts'
import { describeState } from '../../core/explain/explain.ts'
import { formatDuration } from '../../core/text/duration.ts'
import { oneLine } from '../../core/text/printable.ts'
import { callerContext, homeFolder } from '../../sessions/caller-context.ts'
import { sentenceOf } from '../../sessions/session-json.ts'
import { nameOf } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { reportedEnd } from '../../sessions/turn-end.ts'
import { doneJson } from '../../sessions/wait/done-json.ts'
import type { Done, Goal, WaitOutcome } from '../../sessions/wait/wait-step.ts'
import { realClock } from '../../track/clock.ts'
import { jsonLine } from './print.ts'
import { heldText, stateOf } from './session-rows.ts'

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
  if (!first) return `${lead}no session came`
  if (others.length > 0) {
    const each = sessions.map(session => `${name(session)} ${describeState(session.session.verdict.state)}`)
    return `${lead}${each.join(', ')}`
  }
  return `${lead}${takenBack(outcome, first)}${name(first)}: ${notYet(outcome, until, first)}${sentenceOf(first, realClock().now())}`
}

/**
 * One that is forgotten with its process has no verdict on its end: the last one is of before. And the verdict of an idle session
 * does not name what else must end.
 */
function notYet(outcome: WaitOutcome, until: Goal | readonly Goal[], { session }: LiveSession): string {
  if (outcome === 'timeout' && session.verdict.state.kind === 'idle' && [until].flat().includes('settled'))
    return 'not settled: '
  const isForGone = [until].flat().every(goal => goal === 'exited')
  const isGone = outcome === 'gone' || (outcome === 'reached' && isForGone)
  return isGone && session.verdict.state.kind !== 'exited' ? 'not there any more; last seen: ' : ''
}

/** The turn failed without a reported reason: the verdict's sentence names only idleness. */
const takenBack = (outcome: WaitOutcome, { session }: LiveSession): string =>
  outcome === 'turnFailed' && reportedEnd(session) === undefined ? 'its last turn was broken off: ' : ''

/** More would be a page, not a sentence. */
const mostNamed = 4

/** Whom a wait waits for, what they do now, and since when it waits. */
export function whomSentence(
  sessions: readonly LiveSession[],
  addresses: readonly string[],
  { next, until = 'idle', any, appear }: WaitForOptions,
): string {
  const at = new Date().toTimeString().slice(0, 8)
  const named = sessions.slice(0, mostNamed)
  const others = [
    ...(sessions.length > mostNamed ? [`${sessions.length - mostNamed} more`] : []),
    ...(appear ? absentOf(addresses, sessions, callerContext()) : []).map(
      address => `${oneLine(address, 100)} (not there yet)`,
    ),
    ...(addresses.includes(everyone) ? ['and any new session'] : []),
  ]
  if (next) return `waiting for the next turn of ${[...named.map(name), ...others].join(', ')}, since ${at}`
  const now = realClock().now()
  const each = named.map(live => {
    const held = heldText(live, now)
    return `${name(live)} ${stateOf(live)}${held === '-' ? '' : ` for ${held}`}`
  })
  const count = each.length + others.length
  const who = count === 1 ? 'it is' : any ? 'one is' : 'all are'
  return `waiting since ${at} until ${who} ${[until].flat().join(' or ')}: ${[...each, ...others].join(', ')}`
}

/** As one line of JSON. */
export const waitJson = (done: Done, waiting: WaitForOptions) =>
  jsonLine({ event: 'ended', at: new Date().toISOString(), ...waitFields(done, waiting) })

export function waitFields(done: Done, waiting: WaitForOptions) {
  const { sessions, ...ended } = doneJson(done, realClock())
  return { ...ended, why: waitSentence(done, waiting), sessions }
}
