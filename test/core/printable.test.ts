import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coloured, oneLine, printable, printableJson } from '../../src/core/text/printable.ts'

/** C0, C1, bidirectional controls, separators of lines, what is not seen. */
const bad = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\u{e0041}/u
const nasty = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b[31m', '\u001b]0;x\u0007', '\u009b31m', '\u202e', '\u2028', '\r\n', '\u{e0041}'),
    ),
  )
  .map(parts => parts.join(''))

describe('what is printed', () => {
  test('is one line without a control character, whatever it came from', () => {
    fc.assert(fc.property(nasty, text => !bad.test(printable(text))))
    expect(printable('a\nb\u001b[31mc\u202ed\u0085e')).toBe('a b [31mcd e')
    expect(printable('日本 👩‍💻 naïve “x”')).toBe('日本 👩‍💻 naïve “x”')
  })

  test('a part of a sentence, too', () => {
    fc.assert(fc.property(nasty, fc.nat(40), (text, most) => !bad.test(oneLine(text, most))))
  })

  test('has colours where lull sets them, and nothing else of a terminal’s', () => {
    expect(coloured('\u001b[31mred\u001b[39m \u001b[2J\u001b[1;1H\u001b]0;x\u0007')).toBe(
      '\u001b[31mred\u001b[39m  [2J [1;1H ]0;x ',
    )
    fc.assert(fc.property(nasty, text => !bad.test(coloured(text).replaceAll(/\u001b\[\d\d?m/g, ''))))
  })

  test('as JSON means the same', () => {
    fc.assert(
      fc.property(fc.dictionary(nasty, fc.oneof(nasty, fc.array(nasty))), value => {
        const text = printableJson(value)
        expect(text).not.toMatch(bad)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
