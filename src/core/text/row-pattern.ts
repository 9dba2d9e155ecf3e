/** What a row has to be, as a regular expression that tmux (POSIX, extended) and JavaScript read alike. Pure. */

/** Stands in a row for what goes on by itself: a duration, the ticks of tabs, which button is pointed at. */
export const moves = '\u0000'

const ticking = '([0-9.hms ]|☐|☑|☒|✔|❯|›|▸|▶|➤)*'
const between = /\0(?:[ 0-9.hms☐☑☒✔❯›▸▶➤]*\0)+/gu
const frame = '( |\u00a0|│|┃|║|▌)*'
/** One of the signs that point at an option, or turn while a program waits. */
const sign = `((${[...'❯›>●◉▸▶→➤»⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏⣾⣽⣻⢿⡿⣟⣯⣷'].join('|')}) +)?`

/** @returns undefined for a row without a letter or a figure, which tells little */
export function rowPattern(row: string): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(row)) return undefined
  // Two with nothing else between them, or a blank beside one, could be read in many ways.
  const exact = row
    .replace(/ +/g, ' ')
    .replace(/ ?\0 ?/g, moves)
    .replace(between, moves)
    .split(moves)
    .map(text => text.replace(/[\\^$.[|()*+?{]/g, '\\$&').replaceAll(' ', ' +'))
    .join(ticking)
  // A bar of plain letters is a frame only where it stands on both sides: within a text it is a pipe.
  return `^${frame}(${sign}${exact}${frame}|\\| *${sign}${exact} *\\| *)$`
}

/** Whether each of the rows stands somewhere on a screen. */
export const areShown = (rows: readonly string[], screen: readonly string[]): boolean =>
  rows.every(row => {
    const pattern = rowPattern(row)
    return pattern === undefined || screen.some(one => new RegExp(pattern).test(one.trimEnd()))
  })
