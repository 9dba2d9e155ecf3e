import { expect, test } from 'vitest'
import { newRows, newRowsShown } from '../../src/drive/wait/new-rows.ts'
import type { Observation } from '../../src/terminal/observer-step.ts'

test.each([
  ['nothing known: all', undefined, ['a', 'b'], ['a', 'b']],
  [
    'what is behind the known rows, with the last one, which may have grown',
    ['a', '$ '],
    ['a', '$ ls', 'x', '$ '],
    ['$ ls', 'x', '$ '],
  ],
  ['what has scrolled away is not missed', ['a', 'b', 'c', '$ '], ['c', '$ ls', 'x'], ['$ ls', 'x']],
  ['nothing in common: all', ['a', 'b', '$ '], ['x', 'y'], ['x', 'y']],
  ['nothing new: the last row alone', ['a', '$ '], ['a', '$ '], ['$ ']],
])('%s', (_, before, now, expected) => {
  expect(newRows(before, now)).toEqual(expected)
})

/** Of a screen of four rows; what has scrolled away is among the lines. */
const observed = (historySize: number, lines: readonly string[], more: object = {}): Observation => {
  const rows = Array.from({ length: 4 }, (_, at) => lines[historySize + at] ?? '')
  return {
    screen: { rows, columns: 80 },
    facts: { historySize, historyLimit: 5 },
    lines,
    probe: {},
    ...more,
  } as never
}
const polls = ['$ date', '2026', '$ date', '2026', '$ date', '2026', '$ date', '$ ']
const before = observed(1, ['a', 'b', 'c', '$ '])

test.each([
  ['rows that still fit the screen', before, observed(1, ['a', 'b', 'c', '$ ls', 'x']), ['$ ls', 'x']],
  [
    'rows that have scrolled up',
    before,
    observed(2, ['a', 'b', 'c', '$ ls', 'x', '$ ']),
    ['$ ls', 'x', '$ '],
  ],
  [
    'not once nothing of before is left on the screen',
    before,
    observed(3, ['a', 'b', 'c', '$ ls', 'x', 'y', '$ ']),
    undefined,
  ],
  ['not where other rows stand above', before, observed(2, ['a', 'b', 'z', '$ ls', 'x', '$ ']), undefined],
  ['not on a cleared screen', before, observed(1, ['a', '$ ']), undefined],
  ['not where the history is shorter than before', before, observed(0, ['c', '$ ls', 'x']), undefined],
  [
    'not beside a full history, where a screen that repeats itself looks as before',
    observed(5, [...polls, ...polls]),
    observed(5, [...polls, ...polls]),
    undefined,
  ],
  ['not beside one that has dropped a tenth of its rows', observed(4, polls), observed(4, polls), undefined],
  [
    'not of an end, whose screen is that of before',
    before,
    observed(1, ['a', 'b', 'c', '$ ls', 'x'], { probe: { gone: {} } }),
    undefined,
  ],
  [
    'not at another size',
    before,
    observed(1, ['a', 'b', 'c', '$ ls', 'x'], { screen: { rows: ['b', 'c', '$ ls', 'x'], columns: 70 } }),
    undefined,
  ],
  [
    'not where its size is not known',
    before,
    observed(1, ['a', 'b', 'c', '$ x'], { facts: undefined }),
    undefined,
  ],
])('of two observations: %s', (_, first, last, expected) => {
  expect(newRowsShown(first, last)).toEqual(expected)
  // What fits is the same as is found among all lines.
  if (expected) expect(newRows(first.lines, last.lines)).toEqual(expected)
})
