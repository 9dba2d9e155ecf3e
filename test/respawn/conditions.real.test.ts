import { expect, test } from 'vitest'
import { holds, textOf } from '../../src/respawn/conditions.ts'
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

const here = { ...around, folder: import.meta.dirname, cwd: import.meta.dirname }
const knows = (facts: object) => ({ ...here, facts })

test.each([
  ['context below, and it is', { kind: 'context', is: 'below', share: 0.3 }, knows({ context: 0.2 }), true],
  [
    'context below, and it is not',
    { kind: 'context', is: 'below', share: 0.3 },
    knows({ context: 0.3 }),
    false,
  ],
  ['context above, and it is', { kind: 'context', is: 'above', share: 0.7 }, knows({ context: 0.8 }), true],
  [
    'context above, and it is not',
    { kind: 'context', is: 'above', share: 0.7 },
    knows({ context: 0.7 }),
    false,
  ],
  ['context, and nobody tells', { kind: 'context', is: 'below', share: 0.3 }, here, undefined],
  ['a file below the plan’s folder', { kind: 'exists', path: 'conditions.real.test.ts' }, here, true],
  ['a file that is not there', { kind: 'exists', path: 'DONE.md' }, here, false],
  [
    'a command that passes, in the agent’s folder',
    { kind: 'passes', command: 'test -f conditions.real.test.ts' },
    here,
    true,
  ],
  ['a command that fails', { kind: 'passes', command: 'exit 3' }, here, false],
  ['a command that there is not', { kind: 'passes', command: '/nosuch/command' }, here, false],
  [
    'a marker that the agent’s last message has',
    { kind: 'marker', name: 'done' },
    knows({ finalMessage: 'All tests pass.\n\n<!-- ralph:state done -->' }),
    true,
  ],
  [
    'another marker',
    { kind: 'marker', name: 'done' },
    knows({ finalMessage: '<!-- ralph:state blocked no key -->' }),
    false,
  ],
  ['no message', { kind: 'marker', name: 'done' }, here, false],
] as const)('condition: %s', async (_, condition, context, is) =>
  expect(await holds(condition, context)).toBe(is),
)

test('a command of a condition that is called off is ended, and does not hold', async () => {
  const calling = new AbortController()
  const passes = holds({ kind: 'passes', command: 'sleep 60' }, { ...here, signal: calling.signal })
  calling.abort()
  expect(await passes).toBe(false)
})
