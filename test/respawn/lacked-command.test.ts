import { expect, test } from 'vitest'
import { lackedCommand } from '../../src/respawn/carry-out.ts'

test.each([
  [
    'Claude Code, before Enter',
    ['  No commands match "/nosuch"', '❯ /nosuch'],
    'No commands match "/nosuch"',
  ],
  ['Claude Code', ['● Unknown command: /nosuch', '❯ '], '● Unknown command: /nosuch'],
  ['OpenCode', ['┃ No matching items    ┃', '┃  /nosuch'], '┃ No matching items    ┃'],
  [
    'Codex',
    [`• Unrecognized command '/nosuch'. Type "/" for a list of supported commands.`, '› /nosuch'],
    `• Unrecognized command '/nosuch'. Type "/" for a list of supported commands.`,
  ],
])('%s says that it has no such command', (_, rows, said) => {
  expect(lackedCommand('/nosuch', ['❯ '], rows, false)).toBe(said)
  // What stood there before tells of something else.
  expect(lackedCommand('/nosuch', ['❯ ', ...rows], rows, false)).toBeUndefined()
})

test.each([
  ['a command that it offers', ['❯ /init    Initialize a new CLAUDE.md file', '❯ /init']],
  ['a turn that begins', ['❯ /init', '● I am looking for an unknown file', '● No matching items yet']],
])('%s is none that it lacks', (_, rows) =>
  expect(lackedCommand('/init', ['❯ '], rows, true)).toBeUndefined(),
)
