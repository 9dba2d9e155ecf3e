/** Text that a terminal shows and does not obey, whatever it came from. */

declare const isPrintable: unique symbol

/** Made here alone: what prints takes nothing else. */
export type Printable = string & { readonly [isPrintable]: true }

/** C0 and C1; JSON escapes the former itself. */
const controls = /[\u0000-\u001f\u007f-\u009f]/g
const lateControls = /[\u007f-\u009f]/g
/** Bidirectional controls turn a line around in front of the reader, line separators break it, the rest is not seen. */
const movers = /[\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g
/** Of letters and ground, as lull sets them: of the sixteen, and of the 256. */
const colour = /(\u001b\[(?:38;5;\d{1,3}|\d{1,2})m)/

/** One line: a control character, of a line too, is a blank; what moves or hides others is left out. */
export const printable = (text: string): Printable =>
  text.replace(controls, ' ').replace(movers, '') as Printable

/** A line of lull's own in colours, of parts that are printable themselves: they can't bring colours of their own. */
export const coloured = (line: string): Printable =>
  line
    .split(colour)
    .map((part, i) => (i % 2 === 1 ? part : printable(part)))
    .join('') as Printable

/** As JSON, which means the same with those characters escaped. */
export const printableJson = (value: unknown): Printable =>
  JSON.stringify(value).replace(lateControls, escaped).replace(movers, escaped) as Printable

const escaped = (found: string): string =>
  Array.from(found.split(''), unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

/** Text that came from outside, as a part of a sentence: at most so many characters of it. */
export function oneLine(text: string, most: number): Printable {
  if (text.length <= most) return printable(text).trim() as Printable
  let clean = ''
  for (const char of text) {
    if (clean.length >= most) return `${clean.trimEnd()}…` as Printable
    clean += printable(char)
  }
  return clean.trim() as Printable
}
