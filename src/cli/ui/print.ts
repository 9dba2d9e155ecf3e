/** All that a command prints goes through here, and is printable: on stdout its result, on stderr what is said beside. */

import { coloured, printable, printableJson } from '../../core/text/printable.ts'
import type { Printable } from '../../core.ts'

export const print = (...parts: readonly Printable[]): boolean => process.stdout.write(parts.join(''))

export const note = (...parts: readonly Printable[]): boolean => process.stderr.write(parts.join(''))

/** Of the terminal that is printed to, in cells; Infinity where it is none. */
export const terminalWidth = (): number => (process.stdout.isTTY && process.stdout.columns) || Infinity

/** Each a line, whatever stands in it. */
export const lines = (...texts: readonly string[]): Printable => joined(texts.map(printable))

/** Each a line, its cells between tabs: for programs that take it apart. */
export const tabbed = (...rows: readonly (readonly string[])[]): Printable =>
  joined(rows.map(cells => cells.map(printable).join('\t') as Printable))

export const colouredLines = (...texts: readonly string[]): Printable => joined(texts.map(coloured))

export const jsonLine = (value: unknown): Printable => joined([printableJson(value)])

const joined = (texts: readonly Printable[]): Printable =>
  texts.map(text => `${text}\n`).join('') as Printable

/** What lull itself tells the terminal: nothing that came from outside is a part of it. */
export const own = (sequence: string): Printable => sequence as Printable

/** What was asked for as it is, whoever made it: so it goes to a pipe or a file. A terminal shows its text and colours. */
export function asItIs(text: string): Printable {
  if (process.stdout.isTTY !== true) return text as Printable
  return colouredLines(...text.replace(/\n$/, '').split('\n'))
}
