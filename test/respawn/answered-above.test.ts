import { expect, test } from 'vitest'
import { isAnsweredAbove } from '../../src/respawn/carry-out.ts'
import { edge, works } from '../support/agent-screens.ts'

const composer = ['', edge, '❯ ', edge, '  ? for shortcuts']

test.each([
  ['answered', ['❯ go on #6', '', '● It is done.', ...composer], true],
  ['answered, and broken into rows', ['❯ go', '  on #6', '● It is done.', ...composer], true],
  ['sent', ['● Before.', '', '❯ go on #6', ...composer], false],
  ['still in the composer', ['● Before.', '', edge, '❯ go on #6', edge], false],
  ['not there any more', ['● Before.', ...composer], false],
  ['one before it was answered', ['❯ go on #5', '● It is done.', '❯ go on #6', ...composer], false],
  [
    'at work, in a dialog or without a composer',
    ['❯ go on #6', '● It is done.', 'Do you want to proceed?'],
    false,
  ],
] as const)('a prompt that is %s', (_, rows, is) => {
  expect(isAnsweredAbove(rows, 'go on #6')).toBe(is)
})

test('no prompt is answered by nothing', () => {
  expect(isAnsweredAbove(works, '')).toBe(false)
})
