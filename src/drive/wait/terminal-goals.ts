/** What a wait on a terminal is for, as it is written after `--for`. */
import { checkValues, is } from '../../core/check-values.ts'
import { LullError } from '../../core/lull-error.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { readPattern } from '../../os/linear-pattern.ts'

export type TerminalGoal =
  /** The next input would be run: a shell's or a REPL's prompt. */
  | { readonly type: 'ready' }
  /** It asks something, or wants a key. */
  | { readonly type: 'question' }
  | { readonly type: 'password' }
  /** A line that is printed after the wait began, without its escape sequences. */
  | { readonly type: 'output'; readonly pattern: RegExp }

export const isGoal = (value: unknown): value is TerminalGoal =>
  isRecord(value) && (value.type === 'output' ? value.pattern instanceof RegExp : isNamed(value.type))

const isNamed = (type: unknown): type is Exclude<TerminalGoal['type'], 'output'> =>
  type === 'ready' || type === 'question' || type === 'password'

/** The words of `--for` that need a terminal. */
export const isTerminalGoal = (text: string): boolean =>
  /(^|,)\s*(ready|question|password|output:)/.test(text)

/**
 * `ready`, `question`, `password`, `output:/re/`, or several with commas; a pattern comes last and may hold commas.
 * @throws {LullError} BAD_GOAL, BAD_PATTERN
 */
export function readGoals(text: string): readonly TerminalGoal[] {
  checkValues('readGoals', [text], { text: is.text })
  const [, words = '', pattern] = /^(.*?)(?:(?<=^|,)\s*output:(.*))?$/s.exec(text) ?? []
  const named = words
    .split(',')
    .filter(word => word.trim() !== '')
    .map(readWord)
  if (pattern === undefined) return named.length > 0 ? named : [readWord(text)]
  const [, source] = /^\/(.+)\/$/s.exec(pattern) ?? []
  if (source === undefined)
    throw new LullError('BAD_GOAL', `after output: comes a pattern between slashes, like output:/done/`)
  return [...named, { type: 'output', pattern: readPattern(source) }]
}

function readWord(word: string): TerminalGoal {
  const type = word.trim()
  if (isNamed(type)) return { type }
  throw new LullError(
    'BAD_GOAL',
    `"${type}" is none of ready, question, password, output:/pattern/; idle, settled, waiting, stuck and exited are of sessions`,
  )
}
