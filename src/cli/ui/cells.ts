/** Text measured in cells of a terminal: a wide character takes two, and a joined one is not cut. */
import { textWidth } from '../../os/tty/text-width.ts'
/** A text, and how many cells it is filled up to. */
export type Column = readonly [text: string, width: number]

/** Lines of text below a row that has no room beside it. */
const mostLinesBelow = 2

/**
 * A row of columns with a text behind them; below them where the terminal is too narrow.
 * @param width of the terminal in cells; Infinity where the output is no terminal
 */
export function eventRows(columns: readonly Column[], text: string, width: number): readonly string[] {
  const row = columns.map(([cell, cells]) => pad(cell, cells)).join('  ')
  const whole = `${row}  ${text}`.trimEnd()
  if (textWidth(whole) <= width) return [whole]
  // Columns that fit are aligned with those of the other rows.
  const aligned = row.trimEnd()
  const head = textWidth(aligned) <= width ? aligned : columns.flatMap(([cell]) => cell || []).join('  ')
  const [first = '', ...more] = text === '' ? [] : wrap(text, width - 2)
  const below = [first, more.join(' ')].slice(0, mostLinesBelow).filter(line => line !== '')
  return [cut(head, width), ...below.map(line => `  ${cut(line, width - 2)}`)]
}

let segmenter: Intl.Segmenter | undefined

const isAscii = /^[ -~]*$/

/** What is drawn as one. The segmenter is made with the first text that is too long and needs it: it takes 8 ms. */
function segmentsOf(text: string): string[] {
  if (isAscii.test(text)) return text.split('')
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** The beginning of a text, at most `width` cells; what was cut ends in `…`. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const segment of segmentsOf(text)) {
    used += textWidth(segment)
    if (used > width - 1) break
    kept += segment
  }
  return width < 1 ? '' : `${kept}…`
}

/** The end of a text, at most `width` cells, for paths. */
export function cutStart(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const segment of segmentsOf(text).reverse()) {
    used += textWidth(segment)
    if (used > width - 1) break
    kept = segment + kept
  }
  return width < 1 ? '' : `…${kept}`
}

/** A text filled up with blanks. */
export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - textWidth(text)))

/** A text on lines of at most `width` cells, broken between words where they are not longer than a line; `hanging` cells fewer after the first. */
export function wrap(text: string, width: number, hanging = 0): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`
    const room = lines.length === 0 ? width : width - hanging
    if (textWidth(next) <= room) {
      line = next
      continue
    }
    if (line !== '') lines.push(line)
    line = cut(word, width)
  }
  return line === '' ? lines : [...lines, line]
}
