/**
 * Presses of Enter, and which of them each source has answered. A source reports in order, at most `latestMs` late: until it
 * reports work after the newest Enter, an end that it reports may be the end of an earlier turn.
 */

import type { AnsweredPress, Draft, Press, Session } from '../session.ts'
import type { Instant } from '../state.ts'
import type { Source, TurnId } from './signal.ts'

/** More than any source was late in a fault run (bench/faults.ts). A status that is older is not late. */
export const latestMs = 10_000
/** A source answers as quickly as it did before, give or take this (Enter to start: docs/research/agents.md#latency). */
const sameTookMs = 500
/** Presses that are remembered. */
const mostPresses = 16

/** Files a press of Enter. The first after a dialog opened is its answer: one more may be the next prompt. */
export function press(session: Draft, at: Instant): void {
  const { presses, before } = session
  const [dialog] = before.state.kind === 'waiting' ? before.because : []
  const openedAt = dialog && (dialog.type === 'sign' ? dialog.since : dialog.at)
  const isAnswer = openedAt !== undefined && (presses.at(-1)?.at ?? -Infinity) < openedAt
  const next: Press = { at, is: isAnswer ? 'answer' : undefined }
  session.presses = presses.slice(1 - mostPresses).concat(next)
}

/** Files which Enter a source answers when it begins to report work. */
export function answer(session: Draft, source: Source, at: Instant, turn?: TurnId): void {
  const { presses, answers } = session
  const before = answers[source]
  if (turn !== undefined && turn === before?.turn) return
  const open = presses.filter(
    one => one.at <= at && one.at > at - latestMs && one.at > (before?.press ?? -Infinity),
  )
  const pressed = answeredOf(open, before, at)
  if (!pressed) return
  const took = at - pressed.at
  // Sooner than this source reports: something else, or reported twice.
  const isEarly = before !== undefined && took < before.took - sameTookMs
  const next: AnsweredPress = {
    press: isEarly ? before.press : pressed.at,
    took,
    turn: turn || before?.turn,
  }
  if (!isEarly) session.presses = presses.map(one => (one === pressed ? { at: one.at, is: 'prompt' } : one))
  session.answers = Object.assign({}, answers, { [source]: next })
}

/** What a source called work for a moment was none. */
export function forgetAnswer(session: Draft, source: Source): void {
  const known = session.answers[source]
  if (known) session.answers = { ...session.answers, [source]: { ...known, press: undefined } }
}

/** The press that this source usually takes as long to answer; else the oldest. For a source's first answer, a known prompt comes first. */
function answeredOf(
  open: readonly Press[],
  before: AnsweredPress | undefined,
  at: Instant,
): Press | undefined {
  const usual = before?.took ?? 0
  const prompt = before ? undefined : open.find(one => one.is === 'prompt')
  const alike = open.findLast(one => Math.abs(at - one.at - usual) <= sameTookMs)
  return prompt ?? alike ?? open[0]
}

/** The newest Enter that is not known to have answered a dialog. */
export const newestPrompt = (presses: readonly Press[]): Press | undefined =>
  presses.findLast(one => one.is !== 'answer')

const pressOf = (answered: AnsweredPress | undefined): Instant => answered?.press ?? -Infinity

/** The newest Enter before `at`, where `source` may still report its turn. A source that never reports work counts like the others. */
export function unanswered({ presses, answers }: Session, source: Source, at: Instant): Instant | undefined {
  const newest = presses.findLast(one => one.at <= at && one.is !== 'answer')
  if (!newest || newest.at <= at - latestMs) return undefined
  const answered =
    source in answers ? pressOf(answers[source]) : Math.max(...Object.values(answers).map(pressOf), -Infinity)
  return answered < newest.at ? newest.at : undefined
}
