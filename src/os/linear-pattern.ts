/** Regular expressions that people write: read so that an error names where it is, and matched in linear time. */
import { createRequire } from 'node:module'
import { LullError } from '../core/lull-error.ts'

/**
 * A pattern that is matched in time that grows with the line alone (RE2), as any program may print a line that makes
 * another one try for ever. It knows no lookaround and no back references.
 * @throws {LullError} BAD_PATTERN
 */
export function readPattern(pattern: string, { ignoresCase = false } = {}): RegExp {
  try {
    return new LinearRegExp(pattern, ignoresCase)
  } catch (error) {
    const { message } = error as Error
    const isRegExp = !isBroken(pattern)
    const what = isRegExp
      ? 'lookaround, back references and counts above 1000 are not supported'
      : message.slice(message.lastIndexOf(': ') + 2).toLowerCase()
    const position = isRegExp ? Math.max(0, pattern.search(unsupported)) : faultAt(pattern)
    throw new LullError(
      'BAD_PATTERN',
      `the pattern ${pattern} can’t be read: ${what} at position ${position}`,
      { pattern, position },
    )
  }
}

const unsupported = /\(\?<?[=!]|\\[1-9k]|\{\d{4}/

/** Whatever asks it (`test`, `match`, `replace`) does so by `exec`. */
class LinearRegExp extends RegExp {
  readonly #matches: (text: string) => { readonly found: string; readonly index: number } | undefined

  constructor(pattern: string, ignoresCase: boolean) {
    super(pattern)
    // Loaded where a pattern is given: it would take a fifth of the time in which lull starts.
    const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js')
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern), ignoresCase ? RE2JS.CASE_INSENSITIVE : 0)
    this.#matches = text => {
      const matcher = compiled.matcher(text)
      return matcher.find() ? { found: matcher.group() ?? '', index: matcher.start() } : undefined
    }
  }

  override exec(text: string): RegExpExecArray | null {
    const match = this.#matches(text)
    return match ? Object.assign([match.found] as [string], { index: match.index, input: text }) : null
  }
}

/** Where a pattern that can't be read goes wrong: what is never closed, closes nothing, or repeats nothing. */
function faultAt(pattern: string): number {
  const open: number[] = []
  let canRepeat = false
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string
    if (character === '\\') {
      if (at === pattern.length - 1) return at
      at++
      canRepeat = true
    } else if (character === '[') {
      const end = endOfClass(pattern, at)
      if (end < 0 || isBroken(pattern.slice(at, end + 1))) return at
      at = end
      canRepeat = true
    } else if (character === '(') {
      open.push(at)
      const group = /^\?(?:[:=!]|<[=!]|<[A-Za-z_$][\w$]*>)/.exec(pattern.slice(at + 1))
      if (pattern[at + 1] === '?' && !group) return at + 1
      at += group?.[0].length ?? 0
      canRepeat = false
    } else if (character === ')') {
      if (open.pop() === undefined) return at
      canRepeat = true
    } else if ('*+?'.includes(character) || /^\{\d+(?:,\d*)?\}/.test(pattern.slice(at))) {
      if (!canRepeat) return at
      const length = /^(?:[*+?]|\{[\d,]+\})\??/.exec(pattern.slice(at))?.[0].length ?? 1
      if (isBroken(`a${pattern.slice(at, at + length)}`)) return at
      at += length - 1
      canRepeat = false
    } else canRepeat = character !== '|' && character !== '^'
  }
  return open.at(-1) ?? pattern.length
}

function endOfClass(pattern: string, from: number): number {
  for (let at = from + 1; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === ']') return at
  }
  return -1
}

function isBroken(part: string): boolean {
  try {
    new RegExp(part)
    return false
  } catch {
    return true
  }
}
