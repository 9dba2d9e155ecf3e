/** What an option says in all of its rows: how much it grants may stand in the second. */
import { describe, expect, test } from 'vitest'
import { dialogJson } from '../../src/drive/dialog/dialog-json.ts'
import { optionTexts } from '../../src/drive/dialog/option-text.ts'

const options = ['Yes', 'Yes, and do not stop for npm', 'No'].map((label, n) => ({
  label,
  number: n + 1,
  isPointed: n === 0,
}))
const rows = [
  'Run npm test?',
  '❯ 1. Yes',
  '  2. Yes, and do not stop for npm',
  '     commands for the rest of this session',
  '  3. No   (esc)',
  '',
  'Enter to confirm · Esc to cancel',
]

describe('the text of an option', () => {
  test('is all that its rows say', () => {
    expect(optionTexts(rows, options)).toEqual([
      'Yes',
      'Yes, and do not stop for npm commands for the rest of this session',
      'No (esc)',
    ])
  })

  test('ends before a row that names keys, and has no frame', () => {
    const framed = [
      '│ ❯ 1. Yes          │',
      '│   2. No           │',
      '│      but tell why │',
      '│ Esc to cancel     │',
    ]
    const two = [options[0], { ...options[2], number: 2 }] as typeof options
    expect(optionTexts(framed, two)).toEqual(['Yes', 'No but tell why'])
  })

  test('is looked for from below: a command can show rows like options', () => {
    const command = ['1. Yes', '   it is harmless', ...rows]
    expect(optionTexts(command, options)[0]).toBe('Yes')
  })

  test('of one that is not among the rows is its label', () => {
    expect(optionTexts(['nothing'], options)).toEqual(options.map(({ label }) => label))
  })

  test('tells whether it lasts', () => {
    const json = dialogJson({ id: 'a', for: 'permission', rows, whole: 'yes', options } as never)
    expect(json.options.map(({ label, ...rest }) => [label, 'lasts' in rest, 'text' in rest])).toEqual([
      ['Yes', false, false],
      ['Yes, and do not stop for npm', true, true],
      ['No', false, true],
    ])
  })
})
