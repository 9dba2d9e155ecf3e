/** Lines that a person decides by: each of their characters shows, and in the order in which a program reads them. Pure. */

/**
 * What is not seen, or is not what it looks like: control, format and ignorable characters, halves of a character, blanks and blank
 * signs other than the blank of ASCII, and what fonts have no sign for.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]|(?! )\p{Zs}/gu

/** A line in which each character shows: the others are spelt out, as in `\u{202e}`. */
export const plainly = (line: string): string =>
  line.replace(unseen, found => `\\u{${(found.codePointAt(0) as number).toString(16)}}`)

/** The blocks whose letters run from right to left (Unicode's DerivedBidiClass.txt: R and AL, unassigned ones included). */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Whether a program that sorts letters for reading shows its words in another order. */
export const runsRightToLeft = (text: string): boolean => rightToLeft.test(text)
