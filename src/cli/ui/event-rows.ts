/** What happened, for people: a row of columns and, behind them, what was said; below them where the terminal is too narrow. */
import { textWidth } from '../../index.ts'
import { cut, pad, wrap } from './cells.ts'

/** A text, and how many cells it is filled up to. */
export type Column = readonly [text: string, width: number]

/** Where a row has no room beside it, so many lines of what was said are shown. */
const mostSaid = 2

/** @param width of the terminal in cells; Infinity where the output is no terminal */
export function eventRows(columns: readonly Column[], said: string, width: number): readonly string[] {
  const row = columns.map(([text, cells]) => pad(text, cells)).join('  ')
  const whole = `${row}  ${said}`.trimEnd()
  if (textWidth(whole) <= width) return [whole]
  // Columns that have room for themselves stand below those of the other rows.
  const aligned = row.trimEnd()
  const head = textWidth(aligned) <= width ? aligned : columns.flatMap(([text]) => text || []).join('  ')
  const [first = '', ...more] = said === '' ? [] : wrap(said, width - 2)
  const below = [first, more.join(' ')].slice(0, mostSaid).filter(line => line !== '')
  return [cut(head, width), ...below.map(line => `  ${cut(line, width - 2)}`)]
}
