/** The whole text of an option, which may go on in the rows below its first one. Pure. */
import { isRowOf, namesKeys, type Option, unframed } from '../../agents/screen/screen-rows.ts'

/** A row that only draws, or none. */
const isEmpty = (row: string): boolean => !/[\p{L}\p{N}]/u.test(row)
/** More rows belong to no option. */
const mostRows = 8

/**
 * For each option: its label, or what its rows say together where they say more.
 * @param rows of the dialog, options included
 */
export function optionTexts(rows: readonly string[], options: readonly Option[]): readonly string[] {
  const texts = options.map(({ label }) => label)
  // From below: what is asked about may hold rows that look like options.
  let end = rows.length
  for (let n = options.length - 1; n >= 0; n--) {
    const option = options[n]
    if (!option || option.isBeside) continue
    const at = rows.slice(0, end).findLastIndex(row => isRowOf(option, unframed(row)))
    if (at < 0) continue
    const below = rows.slice(at + 1, Math.min(end, at + 1 + mostRows))
    const last = below.findIndex(row => isEmpty(row) || namesKeys([row]))
    const more = last < 0 ? below : below.slice(0, last)
    const first = unframed(rows[at] ?? '')
    const beside = first.slice(first.indexOf(option.label) + option.label.length)
    texts[n] = [option.label, beside, ...more.map(unframed)]
      .map(text => text.trim())
      .filter(Boolean)
      .join(' ')
    end = at
  }
  return texts
}
