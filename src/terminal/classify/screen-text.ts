/** The text of a screen that a prompt would stand in. */

import { characterWidth } from '../../core/text/character-width.ts'
import type { Grid } from '../../core/text/grid.ts'

/** The cursor's line up to the cursor, with the blanks before it; the last line with text where there is no cursor. */
export function beforeCursor({ rows, cursor }: Grid): string {
  if (!cursor) return rows.findLast(row => row.trim() !== '') ?? ''
  const row = rows[cursor.row] ?? ''
  // Most prompts: a cell a character.
  if (/^[\x00-\x7f]*$/.test(row)) return row.slice(0, cursor.column).padEnd(cursor.column)
  let column = 0
  let text = ''
  for (const character of row) {
    if (column >= cursor.column) break
    text += character
    column += characterWidth(character)
  }
  return text + ' '.repeat(Math.max(0, cursor.column - column))
}

/** The rows above the cursor's line, without the blanks at the ends. */
export const rowsAbove = ({ rows, cursor }: Grid): readonly string[] =>
  rows.slice(0, cursor?.row ?? rows.length).map(row => row.trimEnd())

/** The cursor's line is blank, and the cursor is at its beginning. */
export const isFreshLine = ({ rows, cursor }: Grid): boolean =>
  cursor !== undefined && cursor.column === 0 && (rows[cursor.row] ?? '').trim() === ''

/** CSI, OSC and other sequences, whole or cut off at the end. */
const escapes =
  /\u001b(?:\[[0-?]*[ -/]*(?:[@-~]|$)|[\]P^_X][^\u0007\u001b]*(?:\u0007|\u001b\\|\u001b?$)|[ -/]*(?:[0-~]|$))/g

/** A prompt and what was drawn before it on its line is shorter. */
const longestTail = 4096

/**
 * The line that was printed last as a screen of one row, for a terminal that nobody renders: good enough for prompts.
 * @param printed the end of what was printed; the more the better, up to 4 KB
 */
export function tailScreen(printed: string): Grid {
  const plain = printed.slice(-longestTail).replace(escapes, '')
  const line = plain.slice(plain.lastIndexOf('\n') + 1)
  const cells: string[] = []
  let column = 0
  for (const character of line) {
    if (character === '\r') column = 0
    else if (character === '\b') column = Math.max(0, column - 1)
    else if (character >= ' ') cells[column++] = character
  }
  const drawn = Array.from(cells, cell => cell ?? ' ')
  const before = drawn.slice(0, column).reduce((sum, character) => sum + characterWidth(character), 0)
  return { rows: [drawn.join('')], columns: 80, cursor: { row: 0, column: before } }
}
