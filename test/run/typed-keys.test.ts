/** What of a person's keys may be recorded: never what is typed unseen. */
import { expect, test } from 'vitest'
import { recordableKeys } from '../../src/run/record-run.ts'

const shell = { echo: true, canonical: true }
const password = { echo: false, canonical: true }
const composer = { echo: false, canonical: false }

test.each([
  ['a line that is echoed stands on the screen anyway', 'ls -l\r', shell, 'ls -l\r'],
  ['a line without echo is a password', 'hunter2\r', password, undefined],
  ['not even its end is recorded', '\r', password, undefined],
  ['a terminal that can’t be asked may be at one', 'hunter2\r', undefined, undefined],
  ['text that a program takes by itself is not shown', 'hunter2', composer, '•'],
  ['Enter is', '\r', composer, '\r'],
  ['Ctrl+C and Escape are', '\u0003\u001b', composer, '\u0003\u001b'],
  ['arrows, Alt and a function key are', '\u001b[A\u001bx\u001bOP', composer, '\u001b[A\u001bx\u001bOP'],
  [
    'a paste is a text between its marks',
    '\u001b[200~se cret\u001b[201~\r',
    composer,
    '\u001b[200~•\u001b[201~\r',
  ],
  ['lines of a paste', 'one\rtwo', composer, '•\r•'],
])('%s', (_, keys, settings, recorded) => {
  expect(recordableKeys(keys, settings)).toBe(recorded)
})
