/** A dialog as JSON: what `lull answer --list --json` and the API show of it. Pure. */
import { allowsNothing, choiceOf, grantsMore } from './choose-option.ts'
import { needsText, ownTextOption } from './own-text.ts'
import type { ShownDialog } from './shown-dialog.ts'

export const dialogJson = ({ id, for: reason, rows, whole, options, isScrolled, asked }: ShownDialog) => ({
  dialog: id,
  for: reason,
  via: asked ? 'hook' : 'screen',
  ...(asked ? { tool: asked.tool, input: asked.input } : {}),
  shows: rows,
  whole,
  options: options.map((option, place) => ({
    choice: option.isSubmit ? 'submit' : (option.word ?? choiceOf(option, place)),
    label: option.label,
    ...(ownTextOption(options)?.option === option ? { takesText: true } : {}),
    ...(needsText(option, options) ? { needsText: true } : {}),
    ...(grantsMore(option.label) ? { lasts: true } : {}),
    ...(allowsNothing(option.label) ? { refuses: true } : {}),
    ...(option.isChecked === undefined ? {} : { checked: option.isChecked }),
  })),
  ...(isScrolled ? { isScrolled } : {}),
})
