/** Whether the line of a prompt looks empty behind it. Pure. */
import type { Grid } from '../../core/text/grid.ts'
import { beforeCursor } from './screen-text.ts'

export type EditedLine = {
  /** `unsure`: there is text, which may be a prompt alone. `busy`: keys are no text there now. */
  readonly is: 'empty' | 'held' | 'unsure' | 'busy'
  /** The text on the line; for a busy one, what the keys are for. */
  readonly text: string
  /** It is right of the cursor, as a suggestion of a shell is. */
  readonly isBeside?: true
}

export const emptyLine: EditedLine = { is: 'empty', text: '' }
export const held = (text: string): EditedLine => ({ is: 'held', text: text.trim() })

/** Prompts that end without a sign, or contain some: text behind the match was typed. */
const whole: readonly RegExp[] = [
  // robbyrussell, the theme that oh-my-zsh comes with (themes/robbyrussell.zsh-theme).
  /^➜ {1,2}\S+ (?:git:\(\S*\) (?:✗ )?)?/u,
  // Powerline and its kin end each segment with this glyph, which nobody types.
  /^.*\ue0b0 ?/u,
]

/** A sign that prompts end with, and a blank; a digit before the percent sign is progress. */
const sign = /(?:[$#>❯➜λ»⟩›]|(?<!\d)%)(?: |$)/gu

/**
 * @param above the last lines before it: prompts look alike
 * @param own the prompt of the program that reads, where that is known
 */
export function lineLooks(screen: Grid, above: readonly string[], own?: RegExp): EditedLine {
  const before = unwrapped(screen)
  const typed = typedIn(before, above, own)
  if (typed.is !== 'empty') return typed
  const beside = besideCursor(screen)
  return beside === '' ? emptyLine : { ...held(beside), isBeside: true }
}

function typedIn(before: string, above: readonly string[], own: RegExp | undefined): EditedLine {
  if (before.trim() === '') return emptyLine
  const [prompt] = [...(own ? [own] : []), ...whole].flatMap(pattern => pattern.exec(before) ?? [])
  if (prompt !== undefined) return behind(before, prompt)
  const ends = [...before.matchAll(sign)].map(({ index, 0: found }) => index + found.length)
  const [first, last] = [ends[0], ends.at(-1)]
  if (first === undefined || last === undefined) {
    const again = recurring(before, above)
    return again === undefined ? { is: 'unsure', text: before.trim() } : behind(before, again)
  }
  const isSigned = before.slice(last).trim() === ''
  if (!isSigned || first === last) return behind(before, before.slice(0, first))
  // `λ ~ » ` is a prompt, `$ echo 5$ ` is none: other prompts tell.
  const short = before.slice(0, first)
  const isOther = (row: string) => row.startsWith(short) && !row.startsWith(before.trimEnd())
  if (above.some(isOther)) return behind(before, short)
  return above.some(row => row.startsWith(before.trimEnd()))
    ? emptyLine
    : { is: 'unsure', text: before.trim() }
}

/** What ends in any other sign and a blank, and stood before something else above: what counts has another number there. */
function recurring(before: string, above: readonly string[]): string | undefined {
  const ends = [...before.matchAll(/[^\w\s.,'"] +/gu)].map(({ index, 0: found }) => index + found.length)
  const rows = above.map(withoutNumbers)
  const isAgain = (prompt: string) =>
    rows.some(row => row.startsWith(prompt) && row.slice(prompt.length).trim() !== '')
  return ends.map(end => before.slice(0, end)).find(prompt => isAgain(withoutNumbers(prompt)))
}
const withoutNumbers = (text: string): string => text.replace(/\d+/g, '0')

function behind(before: string, prompt: string): EditedLine {
  const text = before.slice(prompt.length)
  return text.trim() === '' ? emptyLine : held(text)
}

/** The line up to the cursor, with the rows that it filled. */
export function unwrapped(screen: Grid): string {
  const { rows, columns, cursor } = screen
  let text = beforeCursor(screen)
  for (let row = (cursor?.row ?? 0) - 1; (rows[row]?.length ?? 0) >= columns; row--) text = rows[row] + text
  return text
}

/** What of a line shows however it is wrapped: Python's own editor ends a full row with a backslash. */
export const lineLetters = (line: string): string => line.replace(/[^\x21-\x5b\x5d-\x7e]/g, '')

/** A right prompt is no part of the line: it is at the right edge (ZLE_RPROMPT_INDENT is 1). */
function besideCursor(screen: Grid): string {
  const { rows, columns, cursor } = screen
  const row = rows[cursor?.row ?? -1] ?? ''
  const beside = row.slice(beforeCursor(screen).length).trimEnd()
  const isAtEdge = row.trimEnd().length >= columns - 2
  return isAtEdge && /^ {2,}\S/.test(beside) ? '' : beside.trim()
}
