/** What has printed something below a dialog of which the program has ended: that one would get the answer. Pure. */
import { columnOf, isBlank, isEdge, isRowOf, unframed } from '../../agents/screen/screen-rows.ts'
import type { Grid } from '../../core/text/grid.ts'
import { beforeCursor } from '../../terminal/classify/screen-text.ts'
import type { ShownDialog } from './shown-dialog.ts'

/** Below the options of a dialog come only key hints, and an explanation of the last option, which is indented. */
const hint =
  /\b(?:esc(?:ape)?|enter|return|tab|ctrl|shift|alt|space|arrows?|navigate|select|cancel|confirm)\b|[↑↓←→⏎↵⇆]/iu

/** Words below that are no hints, or the cursor behind some as a question leaves it: behind a blank. */
export function isAskedBelow(screen: Grid, { options }: ShownDialog): boolean {
  const { cursor, rows } = screen
  const plain = rows.map(unframed)
  const last = options.at(-1)
  const at = last ? plain.findLastIndex(row => isRowOf(last, row)) : -1
  if (at < 0) return false
  const column = columnOf(plain[at] as string)
  const isOther = (row: string) => !isBlank(row) && !isEdge(row) && columnOf(row) <= column && !hint.test(row)
  if (plain.slice(at + 1).some(isOther)) return true
  return cursor !== undefined && cursor.row > at && /\S $/u.test(beforeCursor(screen))
}
