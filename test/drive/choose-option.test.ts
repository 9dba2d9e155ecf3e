/** What a word means among the options of a dialog. */
import { describe, expect, test } from 'vitest'
import { chooseOption } from '../../src/drive/dialog/choose-option.ts'

const options = (...labels: readonly string[]) =>
  labels.map((label, n) => ({ label, number: n + 1, isPointed: n === 0 }))
const claude = options('Yes', "Yes, and don't ask again for npm test", 'Yes, and switch to auto mode', 'No')
const gemini = options('Allow once', 'Allow for this session', 'No, suggest changes (esc)')
const plan = options('Yes, and auto-accept edits', 'Yes, and manually approve edits', 'No, keep planning')

describe('a word', () => {
  test.each([
    [claude, 'yes', 'Yes'],
    [claude, 'always', "Yes, and don't ask again for npm test"],
    [claude, 'no', 'No'],
    [claude, 'NO', 'No'],
    [claude, '3', 'Yes, and switch to auto mode'],
    [claude, 'auto mode', 'Yes, and switch to auto mode'],
    [gemini, 'yes', 'Allow once'],
    [gemini, 'no', 'No, suggest changes (esc)'],
    [plan, 'yes', 'Yes, and manually approve edits'],
    [options('Postgres', 'SQLite'), 'sqlite', 'SQLite'],
    [options('2023', '2024'), '2024', '2024'],
    [options(...Array.from({ length: 105 }, (_, n) => (n === 2 ? '100' : `v${n + 1}`))), '100', 'v100'],
    [options('No, exit', 'Yes, I trust this folder'), 'yes', 'Yes, I trust this folder'],
    [options('Yes', 'No (esc)'), 'no', 'No (esc)'],
    [options('Approve once', 'Reject', 'Reject with feedback'), 'no', 'Reject'],
    [options('Trust folder (x)', "Don't trust"), 'no', "Don't trust"],
    [
      [
        { label: 'Approve', isPointed: false, key: 'y' },
        { label: 'Deny', isPointed: false, key: 'n' },
      ],
      '2',
      'Deny',
    ],
  ])('chooses one: %#', (some, word, label) => {
    expect(some[chooseOption(some, word)]?.label).toBe(label)
  })

  test.each([
    [claude, '5', 'no option is called "5"'],
    [claude, 'y', 'several options fit "y"'],
    [options('Go on', 'Reject this', 'Cancel all'), 'no', 'several options fit "no"'],
    [options('Allow', 'Allow once', 'Deny'), 'yes', 'several options fit "yes"'],
    [claude, '', 'no option is called ""'],
    [gemini, 'always', 'no option is called "always"'],
    [options('Postgres', 'SQLite'), 'yes', 'no option is called "yes"'],
    [claude, 'toString', 'no option is called "toString"'],
    // What begins like a refusal and is none; what accepts more than this.
    [options('Allow once', "Don't ask again for git", 'Keep asking'), 'no', 'no option is called "no"'],
    [options('Ask each time', 'Never ask again'), 'no', 'no option is called "no"'],
    [options('Review first', 'No review needed: deploy directly'), 'no', 'no option is called "no"'],
    [options('Yes, and switch to bypass mode', 'No'), 'yes', 'no option is called "yes"'],
    [options('Yes, and use YOLO', 'No'), 'yes', 'no option is called "yes"'],
    [options('Allow for this workspace', 'Deny'), 'yes', 'no option is called "yes"'],
    [options("Yes, and don't prompt again for this", 'No'), 'yes', 'no option is called "yes"'],
    [options('Yes, and never ask again', 'No'), 'yes', 'no option is called "yes"'],
    [options('Allow everything', 'Deny'), 'yes', 'no option is called "yes"'],
    [options('Allow globally', 'Deny'), 'yes', 'no option is called "yes"'],
    [options('Yes, allow git:* commands', 'No'), 'yes', 'no option is called "yes"'],
    [options('Approve for 24 hours', 'Deny'), 'yes', 'no option is called "yes"'],
    [options('Go on', 'Cancel the backup and deploy'), 'no', 'no option is called "no"'],
    [options('Go on', 'Never mind the tests: deploy'), 'no', 'no option is called "no"'],
    [options('Go on', 'No-review deploy'), 'no', 'no option is called "no"'],
  ])('that fits none, or several, presses nothing: %#', (some, word, said) => {
    expect(() => chooseOption(some, word)).toThrow(
      `${said}: nothing was pressed; there are: 1 ${some[0]?.label}`,
    )
  })
})
