/** Words of a tmux command line, as its parser reads them back (any byte but NUL survives), and conditions on the rows of a pane. */
import { rowPattern } from '../../core/text/row-pattern.ts'

/** All have to be true. A tree, as tmux follows formats within formats so deep only. */
export function allOf(conditions: readonly string[]): string {
  const [first = '1'] = conditions
  if (conditions.length <= 1) return first
  const half = conditions.length >> 1
  return `#{&&:${allOf(conditions.slice(0, half))},${allOf(conditions.slice(half))}}`
}

/** A command of tmux has room for 16 KiB in all. */
const longest = 12 * 1024

/** `#{C/r:…}` searches the rows that are visible (tmux 3.2); of more than there is room for, the last ones. */
export function rowsShown(rows: readonly string[]): readonly string[] {
  const conditions: string[] = []
  let room = longest
  for (const row of rows.toReversed()) {
    const pattern = rowPattern(row)
    if (pattern === undefined) continue
    const condition = `#{C/r:${pattern.replace(/[#,}]/g, '#$&')}}`
    room -= Buffer.byteLength(condition)
    if (room < 0) break
    conditions.unshift(condition)
  }
  return conditions
}
/** Words of a tmux command line, as its parser reads them back: any byte but NUL survives. */

/** Plain within double quotes. `$` and `~` would be expanded, `"` and `\` end or escape. */
const plain = /[A-Za-z0-9 ,._:;%@#{}=+\-/()<>!?&|*[\]^']/

/**
 * One argument in double quotes, everything unusual as three octal digits.
 * @throws {RangeError} where it holds a NUL byte, which no argument of tmux can
 */
export function tmuxWord(text: string | Buffer): string {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text
  let word = '"'
  for (const byte of bytes) {
    if (byte === 0) throw new RangeError('a NUL byte can’t be part of a tmux command')
    const character = String.fromCharCode(byte)
    word += plain.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `${word}"`
}

/** A command and its arguments as one line. */
export const tmuxLine = (words: readonly (string | Buffer)[]): string => words.map(tmuxWord).join(' ')
