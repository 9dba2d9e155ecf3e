import { expect, test } from 'vitest'
import { newRows } from '../../src/drive/new-rows.ts'

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
