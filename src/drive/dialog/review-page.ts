/** The page that repeats what was chosen, and asks whether to hand it in. Pure. */
import { unframed } from '../../agents/screen/screen-rows.ts'
import { withoutBlanks } from '../../core/text/grid.ts'
import { ownTextOption } from './own-text.ts'
import type { ShownDialog } from './shown-dialog.ts'

export const submits = /^submit(?: answers?)?$/i

/** A question that a model asks next may offer to submit something: it takes a text of one's own, or has more options. */
export function isReview({ rows, options }: ShownDialog, chosen: readonly string[]): boolean {
  const asks =
    options.length > 0
      ? options.length <= 2 && options.some(({ label }) => submits.test(label)) && !ownTextOption(options)
      : rows.some(row => /\benter (?:to )?submit\b/i.test(row))
  const inside = rows.map(unframed)
  return asks && chosen.length > 0 && chosen.every(label => isRepeated(label, inside))
}

/** As an answer: behind a sign or at the beginning of a row, and as a whole, wherever rows are broken. */
function isRepeated(label: string, rows: readonly string[]): boolean {
  const wanted = withoutBlanks(label)
  if (wanted === '') return false
  const text = withoutBlanks(rows.join(''))
  const edges = new Set([0])
  let length = 0
  for (const row of rows) {
    length += withoutBlanks(row).length
    edges.add(length)
  }
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    const begins = edges.has(at) || '→:,●•'.includes(text[at - 1] as string)
    if (begins && (edges.has(end) || text[end] === ',')) return true
  }
  return false
}
