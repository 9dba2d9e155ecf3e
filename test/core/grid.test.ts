import { expect, test } from 'vitest'
import { region } from '../../src/core/text/grid.ts'

const screen = (text: string) => ({ rows: text.split('\n'), columns: 80 })

const box = `
said by the model
╭──────────╮
│ old      │
╰──────────╯
────────────
 rest

╭──────────╮
│ > write  │
┃   here  ┃
╰──────────╯
  ? for help
`

test.each([
  ['bottom', ['│ > write  │', '┃   here  ┃', '╰──────────╯', '  ? for help'], 4],
  ['statusLine', ['  ? for help'], undefined],
  ['promptBox', ['> write', 'here'], undefined],
] as const)('the region %s', (name, rows, lines) => expect(region(screen(box), name, lines)).toEqual(rows))

test('the bottom is eight rows that hold something, where nothing else is asked', () => {
  const rows = Array.from({ length: 12 }, (_, at) => `row ${at}`)
  expect(region(screen(rows.join('\n  \n')), 'bottom')).toEqual(rows.slice(-8))
})

test.each([
  ['────────', true],
  ['│ ━━━━━━━━━━ |', true],
  ['  ________  ', true],
  ['--------', true],
  ['═▔▁═▔▁═▔', true],
  ['───────', false],
  ['──────── old', false],
  ['old ────────', false],
])('behind the rule %s', (rule, isRule) => {
  const rows = screen(`────────\nbefore\n${rule}\n \nbehind`)
  expect(region(rows, 'afterLastRule')).toEqual(isRule ? ['behind'] : ['before', rule, 'behind'])
})

test('a screen without a rule or a whole box has no such region', () => {
  expect(region(screen('text'), 'afterLastRule')).toEqual([])
  expect(region(screen('text\n╰──╯'), 'promptBox')).toEqual([])
  expect(region(screen('╭──╮\none\ntwo\nthree'), 'promptBox')).toEqual([])
  expect(region(screen('text ╭─\ninside\n╰─'), 'promptBox')).toEqual([])
  expect(region(screen('╭─\ninside\ntext ╰─'), 'promptBox')).toEqual([])
  expect(region(screen(''), 'statusLine')).toEqual([])
})

test('a box that is not drawn to its end is passed over, and text beside its sides stays', () => {
  expect(region(screen('╭─\nx│ in │x\n╰─\n╭─\nopen'), 'promptBox')).toEqual(['x│ in │x'])
})

test.each([
  ['┌─┐', '└─┘'],
  ['┏━┓', '┗━┛'],
  ['╔═╗', '╚═╝'],
  [' ╭─╮', ' ╰─╯'],
])('a box of %s', (top, bottom) => {
  expect(region(screen(`${top}\n║ in | side ║\nplain\n${bottom}`), 'promptBox')).toEqual([
    'in | side',
    'plain',
  ])
})
