/** The flags of a wait on a terminal, read. */

import { isLullError, LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { WaitOptions } from '../../drive/terminal-options.ts'
import { readPattern, takenForPrompt } from '../../drive/wait/pattern-text.ts'
import { readGoals } from '../../drive/wait/terminal-goals.ts'
import { onNotice } from '../ui/print.ts'
import { durationFlag } from './flag-values.ts'

export type TerminalWaitFlags = {
  readonly for?: string
  readonly timeout?: string
  readonly promptPattern?: string
  readonly strategy?: string
  readonly stable?: string
}

/** @throws {LullError} USAGE, BAD_GOAL, BAD_PATTERN */
export function readTerminalWait(flags: TerminalWaitFlags): WaitOptions {
  const strategy = strategyOf(flags.strategy)
  if (flags.stable !== undefined && strategy !== 'pattern')
    throw new LullError('USAGE', '--stable needs --strategy pattern')
  const goals = flags.for === undefined ? undefined : goalsOf(flags.for)
  if (strategy === 'pattern' && goals?.some(({ type }) => type !== 'ready'))
    throw new LullError('USAGE', `--for ${flags.for}: --strategy pattern supports only ready`)
  const timeout = durationFlag('--timeout', flags.timeout)
  const pattern = flags.promptPattern === undefined ? undefined : promptPattern(flags.promptPattern)
  return {
    stableCaptures: countOf('--stable', flags.stable ?? '1'),
    ...(goals ? { for: goals } : {}),
    ...(timeout === undefined ? {} : { timeout }),
    ...(pattern ? { promptPattern: pattern } : {}),
    ...(strategy ? { strategy } : {}),
  }
}

function goalsOf(text: string): WaitOptions['for'] & object {
  try {
    return readGoals(text)
  } catch (error) {
    if (isLullError(error, 'BAD_GOAL')) throw new LullError('BAD_GOAL', `--for ${text}: ${error.message}`)
    throw error
  }
}

function strategyOf(text: string | undefined): WaitOptions['strategy'] {
  if (text === undefined || text === 'kernel' || text === 'pattern') return text
  throw new LullError('USAGE', `--strategy ${text}: unknown strategy; use kernel or pattern`)
}

/** A pattern that takes anything for a prompt is used, with a notice. */
function promptPattern(text: string): RegExp {
  const pattern = readPattern(text)
  const taken = takenForPrompt(pattern)
  if (taken !== undefined) {
    const line = taken === '' ? 'an empty line' : `"${taken}"`
    onNotice(`--prompt-pattern ${oneLine(text, 200)} is very broad: it matches ${line} too`)
  }
  return pattern
}

export function countOf(flag: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new LullError('USAGE', `${flag} ${text}: must be a whole number from 1 on`)
}
