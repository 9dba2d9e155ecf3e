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
