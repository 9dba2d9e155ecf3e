/** A dialog as JSON: what `lull answer --list --json` and the API show of it. Pure. */
import { allowsNothing, choiceOf, grantsMore } from './choose-option.ts'
import { optionTexts } from './option-text.ts'
import { needsText, ownTextOption } from './own-text.ts'
import type { ShownDialog } from './shown-dialog.ts'

export function dialogJson({ id, for: reason, rows, whole, options, isScrolled, asked }: ShownDialog) {
  const texts = optionTexts(rows, options)
  return {
    dialog: id,
    for: reason,
    via: asked ? 'hook' : 'screen',
    ...(asked ? { tool: asked.tool, input: asked.input } : {}),
    shows: rows,
    whole,
    options: options.map((option, place) => ({
      choice: option.isSubmit ? 'submit' : (option.word ?? choiceOf(option, place)),
      label: option.label,
      ...(texts[place] === option.label ? {} : { text: texts[place] }),
      ...(ownTextOption(options)?.option === option ? { takesText: true } : {}),
      ...(needsText(option, options) ? { needsText: true } : {}),
      ...(grantsMore(texts[place] ?? option.label) ? { lasts: true } : {}),
      ...(allowsNothing(option.label) ? { refuses: true } : {}),
      ...(option.isChecked === undefined ? {} : { checked: option.isChecked }),
    })),
    ...(isScrolled ? { isScrolled } : {}),
  }
}
