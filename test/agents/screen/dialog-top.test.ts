/** A command that is asked about may hold lines, boxes and prompts: the dialog begins above them all. */
import { describe, expect, test } from 'vitest'
import { layoutOf } from '../../../src/agents/screen/screen-layout.ts'

const line = '─'.repeat(100)
const options = [' Do you want to proceed?', ' ❯ 1. Yes', '   2. No', '', ' Esc to cancel']

/** Claude Code. */
const claude = (...command: readonly string[]): readonly string[] => [
  '● I will do it.',
  '',
  line,
  ' Bash command',
  '',
  ...command.map(row => `   ${row}`),
  '',
  ...options,
]
/** Codex draws no line above. */
const codex = (...command: readonly string[]): readonly string[] => [
  '› do it',
  '',
  '• Running it',
  '',
  '  Would you like to run the following command?',
  '',
  ...command.map((row, at) => (at === 0 ? `  $ ${row}` : `    ${row}`)),
  '',
  '› 1. Yes, proceed (y)',
  '  2. No, and tell Codex what to do differently (esc)',
  '',
  '  Press enter to confirm or esc to cancel',
]

const dialogOf = (rows: readonly string[]) => layoutOf({ rows }).dialog

const inner: Readonly<Record<string, readonly string[]>> = {
  'a line': ['─'.repeat(96)],
  'a box': [`╭${'─'.repeat(90)}╮`, `│ ${'x'.padEnd(89)}│`, `╰${'─'.repeat(90)}╯`],
  'a composer': [line, '❯', line],
  'a composer with a prompt': [line, '❯ please', line],
  'what is said': ['● done', '• done', '> done', '⏺ done'],
  'many rows': Array.from({ length: 40 }, (_, row) => `row ${row}`),
}

describe.each(Object.entries(inner))('%s in a command', (_, drawn) => {
  test.each([
    ['Claude Code', claude, ' Bash command'],
    ['Codex', codex, '  Would you like to run the following command?'],
  ] as const)('hides nothing that stands above it: %s', (_, asks, title) => {
    const dialog = dialogOf(asks('rm -rf /precious', ...drawn, 'echo ok'))
    expect(dialog?.rows[0]).toBe(title)
    expect(dialog?.rows.join('\n')).toContain('rm -rf /precious')
    expect(dialog?.whole).toBe('yes')
  })
})

test('what a box asks about that holds options alone is above it: Droid', () => {
  const asks = (command: string) => [
    '● Note',
    '⛬  I will do it.',
    '  Command to approve',
    `  ↳ ${command}`,
    `╭${'─'.repeat(38)}╮`,
    ...['❯ Yes, allow', '  No, cancel'].map(row => `│  ${row.padEnd(36)}│`),
    `╰${'─'.repeat(38)}╯`,
    '  Enter select   Esc cancel',
  ]
  const dialog = dialogOf(asks('rm -rf /precious'))
  expect(dialog?.rows).toContain('  ↳ rm -rf /precious')
  expect(dialog?.options.map(({ label }) => label)).toEqual(['Yes, allow', 'No, cancel'])
  expect(dialog?.whole).toBe('perhaps')
})

test('a line in a command is told with it', () => {
  expect(dialogOf(claude('a', line, 'b'))?.rows.slice(1, 4)).toEqual(['   a', `   ${line}`, '   b'])
})

test('a pipe is part of a command, and no side of a box', () => {
  expect(dialogOf(claude('cat a |', 'tee b', '| sh'))?.rows.slice(1, 4)).toEqual([
    '   cat a |',
    '   tee b',
    '   | sh',
  ])
})

test('of several lines that may all be its border it begins below the highest, and that is said', () => {
  const title = ' Bash command'
  for (const between of [[line], [line, '❯ please', line]]) {
    const rows = ['● I will do it.', line, title, '   rm -rf x', ...between, '   echo ok', ...options]
    const dialog = dialogOf(rows)
    expect(dialog?.rows.slice(0, 2)).toEqual([title, '   rm -rf x'])
    expect(dialog?.whole).toBe('perhaps')
  }
})

test('a dialog whose beginning is not on the screen is not told as a whole one', () => {
  const long = Array.from({ length: 60 }, (_, row) => `row ${row}`)
  for (const asks of [claude, codex]) expect(dialogOf(asks(...long).slice(-30))?.whole).toBe('no')
  const framed = ['│ row 1', ...options.map(row => `│${row}`), `╰${'─'.repeat(60)}`]
  expect(dialogOf(framed)?.whole).toBe('no')
  const barred = ['row 1', '', ' Allow once   Allow always   Reject'].map(row => `  ┃  ${row}`)
  expect(dialogOf(barred)?.whole).toBe('no')
})

test('a box begins at its own top: what is drawn in it stands beside its frame', () => {
  const box = (row: string) => `│ ${row.padEnd(80)} │`
  const [top, bottom] = [`╭${'─'.repeat(82)}╮`, `╰${'─'.repeat(82)}╯`]
  const within = ['rm -rf x', top, box('echo ok'), bottom, '● done', 'Proceed?', '❯ 1. Yes', '  2. No']
  const rows = ['> do it', '', '● I will.', '', top, box('Bash command'), ...within.map(box), bottom]
  const dialog = dialogOf(rows)
  expect(dialog?.rows.slice(0, 2)).toEqual(['Bash command', 'rm -rf x'])
  expect(dialog?.whole).toBe('yes')
})

test('buttons below a long command are told with all of it', () => {
  const command = Array.from({ length: 20 }, (_, row) => `   row ${row}`)
  const rows = [' ❯ please', '', ' Cline needs permission', ' run_commands', ...command, '']
  const dialog = dialogOf([...rows, '  [y] Approve   [n] Deny', '', ' lab-model'])
  expect(dialog?.rows).toContain(' Cline needs permission')
  expect(dialog?.whole).toBe('yes')
})
