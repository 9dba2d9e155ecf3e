/** Dialogs as CLIs drew them in the lab: their options, and what names them. */
import { expect, test } from 'vitest'
import { readDialog } from '../../src/drive/dialog/shown-dialog.ts'

const edge = '─'.repeat(60)

/** Copilot CLI 1.0.102. */
const plan = (pointed: number): readonly string[] => {
  const box = (text: string) => `│ ${text.padEnd(112)} │`
  const option = (number: number, text: string) => box(`${number === pointed ? '❯' : ' '} ${number}. ${text}`)
  return [
    ' ● I have a plan.',
    ' ○ Plan ready for review 1. Read the file 2. Change one line of it · summary: "1. Read the file 2. Change',
    `╭${'─'.repeat(114)}╮`,
    box('Plan Ready for Review'),
    box(edge),
    box(' 1. Read the file'),
    box(' 2. Change one line of it'),
    box(''),
    option(1, 'Accept plan and continue in Autopilot execution mode (recommended)'),
    option(
      2,
      'Accept plan and continue in Interactive execution mode (Manual Approval for this session; future',
    ),
    box('  defaults unchanged)'),
    option(3, 'Exit to Interactive execution mode without running the plan'),
    option(4, 'Suggest changes'),
    box(''),
    box('↑/↓ to navigate · enter to select · esc to cancel'),
    `╰${'─'.repeat(114)}╯`,
  ]
}

test('a plan that is numbered itself is no part of the options, wherever the pointer is', async () => {
  const all = await Promise.all([1, 2, 3, 4].map(pointed => readDialog(plan(pointed), 'copilot')))
  expect(all.map(dialog => dialog?.options.map(({ number }) => number))).toEqual(Array(4).fill([1, 2, 3, 4]))
  expect(all[0]?.options[1]?.label).toMatch(/^Accept plan and continue in Interactive/)
  expect(new Set(all.map(dialog => dialog?.id)).size).toBe(1)
})
