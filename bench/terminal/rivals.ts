/**
 * How others tell that a terminal is ready: docs/seeds.md#002 taken literally, its pattern alone, looked for often, and VS Code's
 * rule for a terminal without shell integration.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { Guess, Pane } from './subject.ts'

/** The document's own numbers: default pattern, first delay, interval, lines. */
const promptPattern = /[$#>%]\s*$/
const startMs = 300
const pollMs = 500
const lines = 50

const isPrompt = (text: string): boolean => {
  const last = text.split('\n').findLast(line => line.trim() !== '')
  return last !== undefined && promptPattern.test(last)
}

/** Either condition returns: the pattern on the last line that is not blank, or two captures that are the same. */
export async function document002(pane: Pick<Pane, 'lastLines'>, timeout: number): Promise<Guess> {
  const deadline = performance.now() + timeout
  const guess = (says: Guess['says'], why: string): Guess => ({ says, why, at: performance.now() })
  let before: string | undefined
  await pause(startMs)
  while (performance.now() < deadline) {
    const captured = await pane.lastLines(lines).catch((error: Error) => error)
    if (captured instanceof Error) return guess('failed', captured.message)
    const text = stripVTControlCharacters(captured).trimEnd()
    if (isPrompt(text)) return guess('ready', 'prompt matched')
    if (text === before) return guess('ready', 'stable')
    before = text
    await pause(pollMs)
  }
  return guess('timeout', 'no prompt detected')
}

const glanceMs = 20

/** The strongest simple rival for speed: the same pattern, every 20 ms, through a control client that is open already. */
export async function patternOften(reader: { read(): Promise<string> }, timeout: number): Promise<Guess> {
  const deadline = performance.now() + timeout
  const guess = (says: Guess['says'], why: string): Guess => ({ says, why, at: performance.now() })
  while (performance.now() < deadline) {
    const text = await reader.read().catch((error: Error) => error)
    if (text instanceof Error) return guess('failed', text.message)
    if (isPrompt(text)) return guess('ready', 'prompt matched')
    await pause(glanceMs)
  }
  return guess('timeout', 'no prompt detected')
}

/** No output for so long, before anything is looked for. */
const quietMs = 1000

/**
 * What VS Code's agent terminals take for a prompt where the shell is not integrated (PowerShell's and cmd's, `$`, `#`, `>>>`,
 * starship's ❯, and any that ends so), and what for a request for input: its terminalContrib/chatAgentTools, executeStrategy.ts
 * and outputMonitor.ts.
 */
const commonPrompt = /[$#>%\u276f]\s*$/u
const inputPrompts: readonly RegExp[] = [
  /[[(]\s*(?:y(?:es)?\s*\/\s*no?|no?\s*\/\s*y(?:es)?)\s*[\])]\s*$/i,
  /\(y\)\s*$/i,
  /:\s*$/,
  /\(END\)$/,
  /password:?\s*$/i,
  /\?\s*(?:\([a-z\s]+\))?$/i,
  /press a(?:ny)? key/i,
]

/** Quiet for a second, then the patterns on the last line: a request for input first. */
export async function vsCode(reader: { read(): Promise<string> }, timeout: number): Promise<Guess> {
  const begun = performance.now()
  const guess = (says: Guess['says'], why: string): Guess => ({ says, why, at: performance.now() })
  let [before, since] = ['', begun]
  while (performance.now() < begun + timeout) {
    const text = await reader.read().catch((error: Error) => error)
    if (text instanceof Error) return guess('failed', text.message)
    if (text !== before) [before, since] = [text, performance.now()]
    const last = text.split('\n').findLast(line => line.trim() !== '') ?? ''
    if (performance.now() - since >= quietMs) {
      if (inputPrompts.some(pattern => pattern.test(last))) return guess('timeout', 'it asks')
      if (commonPrompt.test(last)) return guess('ready', 'quiet at a prompt')
    }
    await pause(glanceMs)
  }
  return guess('timeout', 'no prompt detected')
}
