/** Rows that a program draws to make the reader of their pattern busy. */
import { moves, rowPattern } from '../../src/core/text/row-pattern.ts'
import type { Pattern } from './patterns.ts'

const rows: Readonly<Record<string, string>> = {
  'many durations': `a${` ${moves}`.repeat(40)} b`,
  'durations beside what durations have': `sleep ${moves}.${moves}.${moves}❯${moves} 1${moves}`.repeat(6),
  'durations between words': `s${moves}x `.repeat(12),
  'many blanks': `a${' '.repeat(60)}b${' '.repeat(60)}c`,
  'what repeats': 'ab'.repeat(40),
  'frames within': '│ x │ '.repeat(20),
}

/** By what the row is full of. */
export const hostileRows: readonly (readonly [what: string, pattern: Pattern])[] = Object.entries(rows).map(
  ([what, row]) => [what, { file: 'core/text/row-pattern.ts', source: rowPattern(row) as string, flags: '' }],
)
