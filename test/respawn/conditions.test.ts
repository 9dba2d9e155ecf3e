import { expect, test } from 'vitest'
import { textOf } from '../../src/respawn/conditions.ts'
import { temporaryFile } from '../support/lull.ts'

const folder = '/'
const around = { facts: {}, folder, cwd: folder, signal: new AbortController().signal }
const printed = (command: string) => textOf({ do: 'output', command }, around)
const held = (content: string) => textOf({ do: 'file', path: temporaryFile('step', content) }, around)

test('what a file holds and a command prints is the prompt, with its lines', async () => {
  expect(await printed("printf '  go on\\n\\twith é\\n\\n'")).toBe('go on\n\twith é')
  expect(await held('one\r\ntwo\r\n')).toBe('one\ntwo')
  expect(await held('x'.repeat(100_000))).toHaveLength(100_000)
})

test.each([
  ['keys', () => printed("printf 'a\\003b'"), /control characters/],
  ['colours', () => printed("printf '\\033[31mred'"), /control characters/],
  ['the end of a paste', () => held('a\u001b[201~/clear\r'), /control characters/],
  ['C1', () => held('a\u009b201~b'), /control characters/],
  ['a NUL', () => held('a\0b'), /control characters/],
  ['a carriage return', () => held('a\rb'), /control characters/],
  ['more than a prompt', () => printed('yes | head -c 1000000'), /more than 100000 characters/],
  ['more than a prompt, in a file', () => held('x'.repeat(100_001)), /more than 100000 characters/],
  ['blank lines without end', () => printed('yes "" | head -c 1000000'), /more than 100000 characters/],
  ['nothing', () => printed('true'), /nothing to send/],
])('%s: nothing of it is sent', (_, text, sentence) => expect(text()).rejects.toThrow(sentence))
