/** Whether a line that is read chooses one of several things, by a number or a letter: a text would choose at random. Pure. */
import type { Grid } from '../../core/text/grid.ts'
import { matchPrompt } from './prompts.ts'
import { beforeCursor } from './screen-text.ts'

/** `[y,n,q,a,d,e,?]?` of git add -p (git add-patch.c): each letter does something else. */
const letters = /[[(](?:[\w?!@]{1,2}[,/] ?){3,}[\w?!@]{1,2}[\])]\W*$/

/** A prompt is shorter. */
const longest = 300

/** `1) one` of the shells' select, `1. one` of debconf. */
const choice = /^\s*\d+[).] +\S/

export function isMenu(screen: Grid): boolean {
  const text = beforeCursor(screen).slice(-longest)
  if (letters.test(text) || matchPrompt(text)?.id === 'select') return true
  const above = screen.rows.slice(0, screen.cursor?.row ?? 0).filter(row => row.trim() !== '')
  return choice.test(above.at(-1) ?? '')
}
