/** The answer of a wait on a terminal, for people and as JSON. */

import { exitCode, oneLine } from '../../core.ts'
import type { Answer } from '../../drive/wait-answer.ts'

/** `stable` is reached by no table: what is only quiet is not ready. */
export const codeOf = ({ outcome }: Answer): number =>
  outcome === 'stable' ? exitCode.failed : exitCode[outcome]

/** One sentence: the state, what it rests on, and the question where there is one. */
function answerSentence({ outcome, state, evidence, promptLine, exitCode: code }: Answer): string {
  const late = outcome === 'timeout' ? 'not reached in time, ' : ''
  const asked = ['question', 'password', 'keypress'].includes(state)
    ? ` "${oneLine(promptLine.trim(), 200)}"`
    : ''
  const ended = code === undefined ? '' : `; the last command exited with ${code}`
  return `${late}${state}${asked}: ${oneLine(evidence.join('; '), 500)}${ended}`
}

/** The sentence, then what stands on the terminal. */
export const answerText = (answer: Answer): string =>
  [answerSentence(answer), ...answer.screen].map(line => `${line}\n`).join('')

export function answerFields(answer: Answer) {
  const { outcome, state, verdict, confidence, evidence, promptLine, exitCode: code, pid, screen } = answer
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
    pid,
    screen: screen.join('\n'),
  }
}
