/** No command prints but through `cli/ui/print.ts`, which takes what is printable and nothing else. */
import path from 'node:path'
import { expect, test } from 'vitest'
import { readModules } from '../../scripts/house/modules.ts'
import { lines, own, print } from '../../src/cli/ui/print.ts'

const modules = readModules(path.resolve(import.meta.dirname, '../../src')).filter(({ file }) =>
  file.startsWith('cli/'),
)
const filesWith = (pattern: RegExp): string[] =>
  modules.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

// `main.ts` tells lull's version before anything is loaded.
test('nothing is written to stdout or stderr elsewhere', () => {
  expect(
    filesWith(/\b(?:stdout|stderr|out|err)\b\s*\??\.\s*(?:write|end|cork)\b|\bconsole\b\s*[.[]/),
  ).toEqual(['cli/main.ts', 'cli/ui/print.ts'])
  // Of a terminal that is given back as the program ends, and files.
  expect(filesWith(/\bwriteSync\(|\bwriteFileSync\(|createWriteStream|\bpipe\(/)).toEqual([
    'cli/commands/run-command.ts',
    'cli/commands/traces/record-command.ts',
    'cli/watch/full-screen-terminal.ts',
  ])
})

test('what lull itself tells a terminal has no text in it', () => {
  expect(filesWith(/\bown\(|\bown =/)).toEqual([
    'cli/commands/traces/record-command.ts',
    'cli/demo/demo-processes.ts',
    'cli/ui/print-loop.ts',
    'cli/ui/print.ts',
    'cli/watch/full-screen-terminal.ts',
  ])
})

test('nobody says of a text that it is printable but who makes it so', () => {
  expect(filesWith(/\bas Printable\b/)).toEqual(['cli/ui/print.ts'])
})

test('a text is refused by the compiler', () => {
  const isRefused = () => {
    // @ts-expect-error: any text
    print('text')
    // @ts-expect-error: a part of it is any text
    print(`${lines('a')}${'text'}`)
  }
  expect(isRefused).toBeTypeOf('function')
  expect(own('')).toBe(lines())
})
