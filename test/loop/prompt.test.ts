/** From RALPH.md to what the agent is told: file in, prompt out, byte for byte. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  assemble,
  fillCommand,
  readArguments,
  stripComments,
  type Values,
} from '../../src/loop/ralph/prompt.ts'
import { readRalph } from '../../src/loop/ralph/ralph.ts'
import { temporaryFile } from '../support/lull.ts'

const folder = path.join(import.meta.dirname, 'prompts')

const values: Values = {
  commands: new Map([
    ['log', 'a1b2c3 first\nd4e5f6 second\n'],
    ['evil', '{{ args.focus }} $& $1 <!-- kept, a command printed it -->'],
  ]),
  args: new Map([['focus', "the 'parser'"]]),
  ralph: new Map([
    ['name', 'prompts'],
    ['iteration', '3'],
    ['max_iterations', '10'],
  ]),
}

const promptOf = (file: string): string => {
  const ralph = readRalph(file, 'RALPH.md')
  return assemble(ralph.body, values, ralph.credit)
}

describe('a file and its prompt (test/loop/prompts)', () => {
  test.each(globSync('*.in', { cwd: folder }).map(file => file.slice(0, -3)))('%s', name => {
    const expected = readFileSync(path.join(folder, `${name}.out`), 'utf8')
    expect(promptOf(path.join(folder, `${name}.in`))).toBe(expected)
  })

  test.each([
    [
      'Windows line ends',
      '---\r\nagent: claude -p\r\ncredit: false\r\n---\r\nOne.\r\nTwo.\r\n',
      'One.\nTwo.',
    ],
    ['a byte order mark', '\uFEFF---\nagent: claude -p\ncredit: false\n---\nOne.', 'One.'],
    [
      'comments with Windows line ends',
      '---\r\nagent: x\r\ncredit: off\r\n---\r\n<!-- a\r\nb -->One.\r\n```\r\n<!-- c -->\r\n```',
      'One.\n```\n<!-- c -->\n```',
    ],
  ])('%s', (_, text, prompt) => {
    expect(promptOf(temporaryFile('RALPH.md', text))).toBe(prompt)
  })

  test('a text without comments is left as it is, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '`', '~', '<', '!', '-', '>', ' ') }),
        text => {
          const plain = text.replaceAll('<!--', '')
          expect(stripComments(plain)).toBe(plain)
        },
      ),
    )
  })
})

test('arguments are put in as one word each, and nothing else is', () => {
  const run = 'grep {{ args.focus }} {{ args.none }} {{ commands.log }}'
  expect(fillCommand(run, values.args)).toBe(`grep 'the '"'"'parser'"'"'' '' {{ commands.log }}`)
})

describe('arguments', () => {
  const declared = ['dir', 'focus']

  test.each([
    [['--dir', 'src', '--focus=a b'], 0, { dir: 'src', focus: 'a b' }],
    [['src', 'parser'], 0, { dir: 'src', focus: 'parser' }],
    [['--focus', 'parser', 'src'], 0, { dir: 'src', focus: 'parser' }],
    [['--dir=', '--focus=--x'], 0, { dir: '', focus: '--x' }],
    [['--dir', 'a', '--dir', 'b'], 0, { dir: 'b' }],
    [['--dir', '--focus'], 2, { dir: '--dir', focus: '--focus' }],
    [['-x'], 0, { dir: '-x' }],
    [[], 0, {}],
  ])('%j (%i after --)', (words, plain, expected) => {
    expect(Object.fromEntries(readArguments(declared, words, plain))).toEqual(expected)
  })

  test.each([
    [['--dri', 'src'], '--dri is no argument of this RALPH.md: it declares dir, focus'],
    [['a', 'b', 'c'], '"c" is no argument of this RALPH.md: it declares dir, focus'],
    [['--dir'], '--dir needs a value: --dir VALUE or --dir=VALUE'],
    [['--dir', '--focus'], '--dir needs a value: --dir VALUE or --dir=VALUE'],
  ])('%j: %s', (words, sentence) => {
    expect(() => readArguments(declared, words)).toThrow(sentence)
  })
})
