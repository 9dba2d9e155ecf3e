/** Where a background alone tells which option is chosen, a pointer is written before it; a guess is never. */
import { expect, test } from 'vitest'
import { withPointer } from '../../../src/agents/screen/coloured-pointer.ts'
import { colouredRows } from '../../../src/core/text/coloured-rows.ts'

const esc = '\u001b['
const on = (back: number, text: string) => `${esc}48;5;${back}m${text}`
const pointed = (...rows: readonly string[]) => withPointer(colouredRows(rows)).rows

test('of numbered options, and of options side by side', () => {
  const asked = `${esc}38;5;140m${on(233, '┃')}  Which?`
  const list = [1, 2, 3].map(
    n => `${on(233, '┃')}  ${on(n === 2 ? 234 : 233, `${n}. [ ] Some`)}${on(233, '   ')}`,
  )
  expect(pointed(asked, ...list)).toEqual([
    '┃  Which?',
    '┃  1. [ ] Some   ',
    '┃  ❯ 2. [ ] Some   ',
    '┃  3. [ ] Some   ',
  ])
  const buttons = `${on(233, '┃')}${on(234, '   Allow once ')}${on(215, ' Allow always ')}${on(234, '  Reject     enter confirm')}`
  expect(pointed(buttons)).toEqual(['┃   Allow once  ❯ Allow always   Reject     enter confirm'])
  const reversed = `  1. Yes\n${esc}7m  2. No${esc}27m\n  3. Never`.split('\n')
  expect(pointed(...reversed)[1]).toBe('  ❯ 2. No')
})

test('where two differ, none does, or a list is not whole, none is pointed at', () => {
  for (const rows of [
    [on(1, '1. Yes'), on(2, '2. No')],
    ['1. Yes', '2. No', '3. Never'],
    [on(1, '2. Yes'), on(1, '3. No'), on(2, '4. Never')],
    [on(1, '1. Yes'), on(2, '2. No'), on(3, '3. Never')],
  ])
    expect(pointed(...rows).join('')).not.toContain('❯')
})

/** A row in a box, its letters drawn as told. */
const boxed = (...rows: readonly string[]) => [
  '╭──────────╮',
  ...rows.map(row => `│  ${row}${esc}0m   │`),
  '╰──────────╯',
]
const [faint, strong] = [`${esc}38;5;243m`, `${esc}1m${esc}38;5;254m`]

test('of rows in a box, and of numbered options, the one whose letters alone are drawn otherwise', () => {
  expect(pointed(...boxed(`${faint}Yes`, `${strong}Yes, always`, `${faint}No`)).slice(1, 4)).toEqual([
    '│    Yes   │',
    '│  ❯ Yes, always   │',
    '│    No   │',
  ])
  expect(pointed(`${faint}1. Some`, `${strong}2. Others`, `${esc}0m  Or type one`)).toEqual([
    '1. Some',
    '❯ 2. Others',
    '  Or type one',
  ])
  expect(pointed(...boxed(`${faint}Yes`, `${strong}No`))[2]).toBe('│  ❯ No   │')
})

test('letters that show no single option leave a box without a pointer', () => {
  for (const rows of [
    boxed(`${faint}Yes`, `${faint}No`),
    boxed(`${faint}Yes`, `${esc}31mNo`),
    boxed(`${strong}Yes`, `${faint}Always`, `${esc}31mNo`),
    boxed(`${strong}Delete it?`, `  ${faint}Yes`, `  ${faint}No`),
    boxed(`${strong}Yes`),
    [`${strong}Yes`, `${faint}No`, `${faint}Never`],
  ])
    expect(pointed(...rows).join('')).not.toContain('❯')
})
