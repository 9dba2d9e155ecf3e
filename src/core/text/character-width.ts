/** How many cells a single character takes on a terminal. Pure. */

import { eastAsianWidth } from 'get-east-asian-width'

/** Signs that stand before the digits that they embrace, in a cell of their own though they are format characters. */
const ownCell = /[\u0600-\u0605\u06dd\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u
const withoutCell = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Me}\p{Mn}]/u
/** Half of a flag alone is drawn as wide as the flag. */
const halfFlag = /[\u{1f1e6}-\u{1f1ff}]/u

/** @param character one code point */
export function characterWidth(character: string): number {
  if (isNarrow(character)) return character.length
  if (halfFlag.test(character)) return 2
  if (withoutCell.test(character) && !ownCell.test(character)) return 0
  return eastAsianWidth(character.codePointAt(0) ?? 0)
}

/** Letters, signs, lines and spinners that take a cell each, whatever is next to them. */
const narrow =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u25a9\u25cb-\u25cf\u276f\u279c\u2800-\u28ff]*$/

export const isNarrow = (text: string): boolean => narrow.test(text)
