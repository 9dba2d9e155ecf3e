/** What has printed a question below a dialog of which the program has ended: that one would get the answer. Pure. */
import { isRowOf, unframed } from '../../agents/screen/screen-rows.ts'
import type { Grid } from '../../core/text/grid.ts'
import { matchPrompt } from '../../terminal/classify/prompts.ts'
import { beforeCursor } from '../../terminal/classify/screen-text.ts'
import type { ShownDialog } from './shown-dialog.ts'

/** The cursor stands there behind words that ask: hints are followed by no blank, and who draws options hides it. */
export function isAskedBelow(screen: Grid, { options }: ShownDialog): boolean {
  const { cursor, rows, isCursorHidden } = screen
  const last = options.at(-1)
  if (!cursor || !last || isCursorHidden) return false
  const text = beforeCursor(screen)
  if (text.trim() === '' || cursor.row <= rows.findLastIndex(row => isRowOf(last, unframed(row))))
    return false
  return text.endsWith(' ') || matchPrompt(text) !== undefined
}
