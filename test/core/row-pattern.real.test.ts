/** The pattern of a row: what a program has drawn, perhaps to make its reader busy. */
import { expect, test } from 'vitest'
import { growthOf } from '../../scripts/house/patterns.ts'
import { areShown, moves, rowPattern } from '../../src/core/text/row-pattern.ts'

test.each([
  ['many durations', `a${` ${moves}`.repeat(40)} b`],
  ['durations beside what durations have', `sleep ${moves}.${moves}.${moves}❯${moves} 1${moves}`.repeat(6)],
  ['durations between words', `s${moves}x `.repeat(12)],
  ['many blanks', `a${' '.repeat(60)}b${' '.repeat(60)}c`],
  ['what repeats', 'ab'.repeat(40)],
  ['frames within', '│ x │ '.repeat(20)],
])('of %s is not worse than that of one', async (_, row) => {
  const source = rowPattern(row) as string
  // Frames and blanks at both ends can be told apart in as many ways as there are of them, and no more.
  expect(['linear', '2nd degree polynomial']).toContain(await growthOf({ file: '', source, flags: '' }))
})

test('finds a duration wherever it has gone on to', () => {
  const row = `Waiting ${moves} ${moves} for it ${moves}`
  expect(areShown([row], ['│ ⠏ Waiting 1m 2s for it         12.5s │'])).toBe(true)
  expect(areShown([row], ['│ ⠏ Waiting 1h for it │'])).toBe(true)
  expect(areShown([row], ['│ ⠏ Waiting 1h not for it │'])).toBe(false)
})
