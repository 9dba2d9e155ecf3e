/** What a row has to be, as a regular expression that tmux (POSIX, extended) and JavaScript read alike. Pure. */

/** Placeholder in a row for parts that change by themselves: a duration, the ticks of tabs, the pointer at a button. */
export const moves = '\u0000'

const ticking = '( |[0-9]+(\\.[0-9]+)?(ms|[smh])|☐|☑|☒|✔|❯|›|▸|▶|➤)*'
const between = /\0(?:[ ☐☑☒✔❯›▸▶➤]*\0)+/gu
/** Blanks of all kinds are cut at the ends of a row. */
const frame = `(${[...' \u00a0\u2002\u2003\u2009\u202f\u3000\ufeff│┃║▌'].join('|')})*`
/** One of the signs that point at an option, or turn while a program waits. */
const sign = `((${[...'❯›>●◉▸▶→➤»⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏⣾⣽⣻⢿⡿⣟⣯⣷'].join('|')}) +)?`

/** @returns undefined for a row of nothing but lines and blocks, which identifies little */
export function rowPattern(row: string): string | undefined {
  if (!/[^\s\0\u2500-\u259f]/u.test(row)) return undefined
  // Two with nothing else between them, or a blank beside one, could be read in many ways.
  const exact = row
    .replace(/ +/g, ' ')
    .replace(/ ?\0 ?/g, moves)
    .replace(between, moves)
    .split(moves)
    .map(text => text.replace(/[\\^$.[|()*+?{]/g, '\\$&').replaceAll(' ', ' +'))
    .join(ticking)
  // A bar of plain letters is a frame only on both sides of a row: within a text it is a pipe.
  return `^${frame}(${sign}${exact}${frame}|\\| *${sign}${exact} *\\| *)$`
}

/** Whether a screen shows each of the rows. */
export const areShown = (rows: readonly string[], screen: readonly string[]): boolean =>
  rows.every(row => {
    const pattern = rowPattern(row)
    return pattern === undefined || screen.some(one => new RegExp(pattern).test(one.trimEnd()))
  })
