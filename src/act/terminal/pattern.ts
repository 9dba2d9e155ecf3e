/** `--strategy pattern`: document 002's polling of the screen, for where the kernel can't be asked. */
import { captureLines } from '../../sense/terminal/capture.ts'
import { AskError } from '../../sense/terminal/tmux-command.ts'
import { type Answer, lastLineOf } from './answer.ts'
import type { OpenPane } from './open-pane.ts'
import { defaultPrompt, firstLookMs, nextLookMs, type PatternState, stepPattern } from './pattern-step.ts'
import { withoutEscapes } from './printed-lines.ts'
import type { Outcome } from './ready-step.ts'
import type { TerminalWord } from './terminal-word.ts'

export type PatternOptions = {
  readonly pattern?: RegExp
  /** Equal captures in a row, after the first, that mean stable. */
  readonly captures: number
  /** ms */
  readonly timeout: number
  readonly signal?: AbortSignal
}

/** @returns undefined where the signal ended it */
export async function waitByPattern(pane: OpenPane, options: PatternOptions): Promise<Answer | undefined> {
  const { pattern = defaultPrompt, captures, timeout, signal } = options
  const end = performance.now() + timeout
  let state: PatternState = { equal: 0 }
  let lines: readonly string[] = []
  for (let delay = firstLookMs; ; delay = nextLookMs) {
    const left = Math.min(delay, end - performance.now())
    if (!(await slept(pane, left, signal))) return undefined
    const captured = await captureLines(pane.socket, pane.id, capturedLines).catch(whenGone)
    if (!Array.isArray(captured)) return answer('gone', 'exited', captured as string)
    lines = captured.map(withoutEscapes)
    // The last look may come too soon after the one before to call them equal.
    const enough = left < delay ? Infinity : captures
    const step = stepPattern(state, lines.join('\n'), pattern, enough)
    if (step.found === 'ready')
      return answer('reached', 'ready', `the last line matches ${pattern.source} (pattern)`)
    if (step.found === 'stable')
      return answer('stable', 'stable', `${captures + 1} captures were equal, no prompt was seen (quiet)`)
    if (performance.now() >= end) return answer('timeout', 'running', 'no prompt was seen in time (pattern)')
    state = step.state
  }

  function answer(outcome: Outcome, word: TerminalWord, evidence: string): Answer {
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

/** Document 002. */
const capturedLines = 50

/** A stricter variant was right on 49 of 103 scenarios (terminal.md). */
const patternConfidence = 0.5

const whenGone = (error: unknown): string => {
  if (error instanceof AskError) return captureFailed(error.message)
  throw error
}

/** Document 002: a failed capture names what to check. */
const captureFailed = (why: string): string =>
  `capture-pane failed: ${why}. Does the pane still exist, and does its tmux server run? tmux list-panes -a tells`

/** Output does not shorten it: two captures of a busy screen would be equal. */
async function slept(pane: OpenPane, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  const end = performance.now() + ms
  while (performance.now() < end && !signal?.aborted) await pane.woken(Math.min(100, end - performance.now()))
  return !signal?.aborted
}
