/** All output goes through here, and is printable: results on stdout, everything else on stderr. */
import { coloured, oneLine, printable, printableJson } from '../../core/text/printable.ts'
import type { Complaint, Printable } from '../../core.ts'

/** Prints a sentence that is not the command's result, on stderr. */
export const onNotice = (sentence: string): void => void note(lines(`lull: ${sentence}`))

export const print = (...parts: readonly Printable[]): boolean => process.stdout.write(parts.join(''))

export const note = (...parts: readonly Printable[]): boolean => process.stderr.write(parts.join(''))

/** Of the terminal that is printed to, in cells; Infinity where it is none. */
export const terminalWidth = (): number => (process.stdout.isTTY && process.stdout.columns) || Infinity

/** Each text as one line. */
export const lines = (...texts: readonly string[]): Printable => joined(texts.map(printable))

/** Each a line, its cells between tabs: for programs that take it apart. */
export const tabbed = (...rows: readonly (readonly string[])[]): Printable =>
  joined(rows.map(cells => cells.map(printable).join('\t') as Printable))

export const colouredLines = (...texts: readonly string[]): Printable => joined(texts.map(coloured))

export const jsonLine = (value: unknown): Printable => joined([printableJson(value)])

const joined = (texts: readonly Printable[]): Printable =>
  texts.map(text => `${text}\n`).join('') as Printable

/** A control sequence of lull's own. It must not contain text from outside. */
export const own = (sequence: string): Printable => sequence as Printable

/** Text from outside, unchanged for a pipe or a file. A terminal shows its text and colours. */
export function asItIs(text: string): Printable {
  if (process.stdout.isTTY !== true) return text as Printable
  return colouredLines(...text.replace(/\n$/, '').split('\n'))
}

/** Reports skipped lines, each once, and at most 20 of them. */
export function newComplaints() {
  let count = 0
  return {
    complain(file: string, { line, reason }: Complaint): void {
      count++
      if (count <= mostComplaints) onNotice(`${file}:${line}: ${oneLine(reason, 300)}`)
    },
    end(): void {
      if (count > mostComplaints) onNotice(`… and ${count - mostComplaints} more like these`)
    },
  }
}
const mostComplaints = 20
