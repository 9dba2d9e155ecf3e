/** The answer of a wait on a terminal, as a sentence, lines and JSON. Pure. */

import { exitCode } from '../../core/exit-codes.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { Answer } from './wait-answer.ts'

/** `stable` is reached by no table: what is only quiet is not ready. */
export const codeOf = ({ outcome }: Answer): number =>
  outcome === 'stable' ? exitCode.failed : exitCode[outcome]

/** One sentence: the state, what it rests on, and the question where there is one. */
export function answerSentence(answer: Answer): string {
  const { outcome, state, verdict, evidence, promptLine } = answer
  const late = outcome === 'timeout' ? 'not reached in time, ' : ''
  // An empty line at the cursor: the line above is no question.
  const isAsked = ['question', 'password', 'keypress'].includes(state) && verdict?.prompt !== undefined
  const asked = isAsked ? ` "${oneLine(promptLine.trim(), 200)}"` : ''
  return `${late}${state}${asked}: ${oneLine(evidence.join('; '), 500)}${ending(answer)}`
}

function ending({ state, exitCode: code, signal }: Answer): string {
  if (signal !== undefined) return `; ${signal} ended it`
  if (code === undefined) return ''
  return state === 'exited' ? `; it exited with ${code}` : `; the last command exited with ${code}`
}

/** The sentence, then the text of the terminal. */
export const answerLines = (answer: Answer): readonly string[] => [answerSentence(answer), ...answer.screen]

export function answerFields(answer: Answer) {
  const {
    outcome,
    state,
    verdict,
    confidence,
    evidence,
    promptLine,
    exitCode: code,
    signal,
    pid,
    screen,
  } = answer
  return {
    outcome,
    code: codeOf(answer),
    why: answerSentence(answer),
    state,
    ...(verdict ? { kind: verdict.state.kind } : {}),
    ...(verdict?.state.kind === 'waiting' ? { for: verdict.state.for } : {}),
    ...(verdict?.state.kind === 'idle' && verdict.state.at ? { in: verdict.state.at } : {}),
    confidence,
    evidence,
    promptLine,
    ...(code === undefined ? {} : { exitCode: code }),
    ...(signal === undefined ? {} : { signal }),
    pid,
    screen: screen.join('\n'),
  }
}
