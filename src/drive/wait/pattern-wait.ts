/** `--strategy pattern`: the polling of docs/seeds.md#002, for where the kernel can't be asked. */
import type { Gone } from '../../terminal/probe/probed.ts'
import type { DrivableHolder } from '../../terminal/terminal-holder.ts'
import type { TerminalWord } from '../terminal-word.ts'
import {
  defaultPrompt,
  firstCaptureMs,
  nextCaptureMs,
  type PatternState,
  stepPattern,
} from './pattern-step.ts'
import type { ReadyOutcome } from './ready-step.ts'
import { type Answer, lastLineOf } from './wait-answer.ts'

export type PatternOptions = {
  readonly pattern?: RegExp
  /** Equal captures in a row, after the first, that mean stable. */
  readonly captures: number
  /** ms */
  readonly timeout: number
  readonly signal?: AbortSignal
}

/** @returns undefined where the signal ended it */
export async function waitByPattern(
  pane: DrivableHolder,
  options: PatternOptions,
): Promise<Answer | undefined> {
  const { pattern = defaultPrompt, captures, timeout, signal } = options
  const end = performance.now() + timeout
  let state: PatternState = { equal: 0 }
  let lines: readonly string[] = []
  for (let delay = firstCaptureMs; ; delay = nextCaptureMs) {
    const left = Math.min(delay, end - performance.now())
    if (!(await slept(pane, left, signal))) return undefined
    const captured = await pane.capture()
    if (captured.type === 'ended') return answer('gone', 'exited', captureFailed(captured.end))
    if (captured.type === 'unanswered') {
      if (performance.now() >= end) return answer('timeout', 'unknown', captured.why)
      state = { equal: 0 }
      continue
    }
    lines = captured.lines
    // The last capture may come too soon after the one before to call them equal.
    const enough = left < delay ? Infinity : captures
    const step = stepPattern(state, lines.join('\n'), pattern, enough)
    if (step.found === 'ready')
      return answer('reached', 'ready', `the last line matches ${pattern.source} (pattern)`)
    if (step.found === 'stable')
      return answer('stable', 'stable', `${captures + 1} captures were equal, no prompt was seen (quiet)`)
    if (performance.now() >= end) return answer('timeout', 'unknown', 'no prompt was seen in time (pattern)')
    state = step.state
  }

  function answer(outcome: ReadyOutcome, word: TerminalWord, evidence: string): Answer {
    return {
      outcome,
      state: word,
      confidence: patternConfidence,
      evidence: [evidence],
      promptLine: lastLineOf(lines),
      pid: pane.pid,
      screen: lines,
    }
  }
}

/** A stricter variant was right on 49 of 103 scenarios (docs/research/terminal.md#the-pattern-alone). */
const patternConfidence = 0.5

/** docs/seeds.md#002: a failed capture names what to check. */
const captureFailed = ({ how }: Gone): string =>
  how === 'replaced'
    ? 'the pane holds another program now'
    : 'capture-pane failed. Does the pane still exist, and does its tmux server run? tmux list-panes -a tells'

/** Output does not shorten it: two captures of a busy screen would be equal. */
async function slept(pane: DrivableHolder, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  const end = performance.now() + ms
  while (performance.now() < end && !signal?.aborted)
    await pane.output.woken(Math.min(100, end - performance.now()))
  return !signal?.aborted
}
