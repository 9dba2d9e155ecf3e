/** Rows of a terminal with the sequences that colour them: their text, and what stands behind it. */
import { expect, test } from 'vitest'
import { colouredRows } from '../../src/core/text/coloured-rows.ts'
import { escapedMarkup } from '../../src/core/text/markup.ts'

const esc = '\u001b['
/** What stands behind `b` in `a` + sequence + `b`, behind which nothing stands before. */
const behind = (...sequences: readonly string[]): string | undefined =>
  colouredRows([`a${sequences.map(one => `${esc}${one}m`).join('')}b`])[0]?.behind[1]

test.each<[string, readonly string[], string]>([
  ['one of eight', ['40'], '40'],
  ['the last of eight', ['47'], '47'],
  ['a bright one', ['100'], '100'],
  ['the last bright one', ['107'], '107'],
  ['one of 256', ['48;5;233'], '5 233'],
  ['one with colons', ['48:5:233'], '5 233'],
  ['one of all', ['48;2;1;2;3'], '2 1 2 3'],
  ['what comes behind one of all in the same sequence', ['48;2;1;2;3;44'], '44'],
  ['what comes behind one of 256', ['48;5;1;44'], '44'],
  ['none again', ['44', '49'], ''],
  ['nothing of what is not known', ['44', '1', '39', '48;5;9', '4'], '5 9'],
  ['none below the eight', ['39'], ''],
  ['none between the eight and the bright ones', ['44', '99', '108', '48'], ''],
  ['all forgotten', ['44;7', '0'], ''],
  ['all forgotten where no number stands', ['44;7', ''], ''],
  ['the front, where both are turned round', ['31', '7'], 'reversed 31'],
  ['the last of eight fronts', ['37', '7'], 'reversed 37'],
  ['a bright front', ['90', '7'], 'reversed 90'],
  ['the last bright front', ['97', '7'], 'reversed 97'],
  ['a front of 256', ['7', '38;5;140'], 'reversed 5 140'],
  ['no front, where it is taken back', ['31;7', '39'], 'reversed '],
  ['no front of what is none', ['29', '38', '98', '7'], 'reversed '],
  ['the back, where they are turned back', ['44;7', '27'], '44'],
])('behind a character stands %s', (_, sequences, word) => expect(behind(...sequences)).toBe(word))

test('a style goes on in the next row; each unit of the text has its word', () => {
  const rows = colouredRows([`a${esc}44mbc`, `d${esc}me`, ''])
  expect(rows).toMatchObject([
    { text: 'abc', behind: ['', '44', '44'] },
    { text: 'de', behind: ['44', ''] },
    { text: '', behind: [] },
  ])
  expect(rows[0]?.styles.map(({ back }) => back)).toEqual(['', '44', '44'])
})

test.each([
  ['2', { isDim: true }],
  ['2;31;22', { isDim: false, front: '31' }],
  ['4', { isUnderlined: true }],
  ['4;24', { isUnderlined: false }],
  ['38;5;103', { front: '5 103' }],
  ['2;4;31;0', { isDim: false, isUnderlined: false, front: '' }],
])('a character behind %s is drawn as %o', (sequence, style) =>
  expect(colouredRows([`${esc}${sequence}mb`])[0]?.styles[0]).toMatchObject(style),
)

test('what colours nothing is no text: links, modes, single escapes', () => {
  const link = '\u001b]8;;https://example.org\u0007x\u001b]8;;\u001b\\y'
  expect(colouredRows([`${esc}?25l${link}\u001bcz${esc}2K`])[0]?.text).toBe('xyz')
})

test('text in markup is text', () => {
  expect(escapedMarkup('a < b && b > c <i>')).toBe('a &lt; b &amp;&amp; b &gt; c &lt;i&gt;')
})
