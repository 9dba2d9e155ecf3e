/** Which options of a dialog a link may choose. Pure. */
import { isLullError } from '../../core/lull-error.ts'
import { redact } from '../../core/redact/redact.ts'
import { plainly } from '../../core/text/plain-line.ts'
import { chooseOption, wordOf } from '../../drive/dialog/choose-option.ts'
import { needsText } from '../../drive/dialog/own-text.ts'
import type { ShownDialog } from '../../drive/dialog/shown-dialog.ts'

/** Of what is asked, in characters: some 300 rows of a phone. Nobody reads more of it before they press. */
const longestShown = 10_000

/** Of a button, in characters. */
const longestLabel = 80

/** Blanks, or empty lines, behind which a text goes on out of sight. */
const gap = /\S[^\S\n]{12}[^\S\n]*\S|\n(?:[^\S\n]*\n){3}/u

/** What a person would not see whole, or would see otherwise than it is. */
function isReadable({ rows, whole, isScrolled }: ShownDialog): boolean {
  // Before any pattern reads them.
  const length = rows.reduce((sum, row) => sum + row.length + 1, 0)
  if (whole !== 'yes' || isScrolled || length > longestShown) return false
  const text = rows.join('\n')
  return rows.every(row => plainly(row) === row) && !gap.test(text) && redact(text) === text
}

/** @returns their places; none where the dialog takes several answers, or can't be shown as it is */
export function linkedOptions(dialog: ShownDialog): readonly number[] {
  const { options } = dialog
  const isMany = options.some(({ isChecked, isSubmit }) => isChecked !== undefined || isSubmit)
  if (isMany || !isReadable(dialog)) return []
  return options.flatMap((option, place) => {
    const { label } = option
    const isButton = label.length <= longestLabel && plainly(label) === label && label.trim() !== ''
    return isButton && !needsText(option, options) && isMeant(options, place) ? [place] : []
  })
}

/** The word that is given for it chooses it, and no other one. */
function isMeant(options: ShownDialog['options'], place: number): boolean {
  const [option] = options.slice(place)
  try {
    return option !== undefined && chooseOption(options, wordOf(option, place)) === place
  } catch (error) {
    if (isLullError(error, 'NO_OPTION')) return false
    throw error
  }
}
