/** A screen as runs of equally drawn text: nothing of the text is lost, whatever colours it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { colouredRows } from '../../src/core/text/coloured-rows.ts'
import { styledRuns } from '../../src/core/text/styled-runs.ts'

test('colours of the palette, of the 256 and any other; a style goes on in the next row', () => {
  expect(
    styledRuns(['a\u001b[1;31mb\u001b[22;48;5;244mc', '\u001b[38;2;1;2;255;49mé\u001b[0;7;4m!', '']),
  ).toEqual([
    [{ text: 'a' }, { text: 'b', front: 1, bold: true }, { text: 'c', front: 1, back: 244 }],
    [
      { text: 'é', front: '#0102ff' },
      { text: '!', reversed: true, underlined: true },
    ],
    [],
  ])
  expect(styledRuns(['\u001b[97;102mx'])).toEqual([[{ text: 'x', front: 15, back: 10 }]])
})

test.each<[string, object]>([
  ['38:2:1:2:3', { front: '#010203' }],
  ['48:2::255:0:16;1', { back: '#ff0010', bold: true }],
  ['48:5:17', { back: 17 }],
  ['3;5;8;9', { italic: true, blinking: true, invisible: true, struck: true }],
  ['3;5;8;9;23;25;28;29', {}],
  ['4:2', { underlined: true }],
  ['4;4:0', {}],
  ['21', { underlined: true }],
  ['58:5:31', {}],
  ['58;5;2', {}],
  ['58:2::1:2:3;31', { front: 1 }],
])('%s draws as %o', (sequence, drawn) =>
  expect(styledRuns([`\u001b[${sequence}mx`])).toEqual([[{ text: 'x', ...drawn }]]),
)

test('any text is whole in its runs, and no colour is beyond its range', () => {
  const part = fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.array(fc.nat(300)).map(codes => `\u001b[${codes.join(';')}m`),
  )
  fc.assert(
    fc.property(
      fc.array(
        fc.array(part, { maxLength: 8 }).map(parts => parts.join('')),
        { maxLength: 4 },
      ),
      rows => {
        const runs = styledRuns(rows)
        expect(runs.map(row => row.map(({ text }) => text).join(''))).toEqual(
          colouredRows(rows).map(({ text }) => text),
        )
        for (const { front = 0, back = 0, text } of runs.flat()) {
          expect(text).not.toBe('')
          for (const colour of [front, back])
            expect(typeof colour === 'number' ? colour < 256 : /^#[0-9a-f]{6}$/.test(colour)).toBe(true)
        }
      },
    ),
  )
})
