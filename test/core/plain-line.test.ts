/** Lines that a person decides by. */
import { expect, test } from 'vitest'
import { plainly, runsRightToLeft } from '../../src/core/text/plain-line.ts'

const all = Array.from({ length: 0x110000 }, (_, code) => code)
const isLeft = (code: number): boolean => plainly(String.fromCodePoint(code)) === String.fromCodePoint(code)

test('each character that is ignored, or is half of one, or is a blank other than the blank, is spelt out', () => {
  const hidden = /\p{Default_Ignorable_Code_Point}|\p{C}|(?! )\p{Z}/u
  expect(all.filter(code => isLeft(code) && hidden.test(String.fromCodePoint(code)))).toEqual([])
  expect([...'\u2800\u3164\u115f\uffa0\ufffc\u{1d159}'].filter(one => plainly(one) === one)).toEqual([])
})

test('letters, signs and drawings stay as they are, and what is spelt out is spelt out once', () => {
  const line = 'make „größer“ 日本語 ❯ ─ ☐ 👍 \u05d0 é'
  expect(plainly(line)).toBe(line)
  expect(plainly('a\u200bb\ud800')).toBe('a\\u{200b}b\\u{d800}')
  expect(plainly(plainly('a\u00a0b'))).toBe('a\\u{a0}b')
})

test.each(['\u05d0', '\u0627', '\u0710', '\u07ca', '\ufb50', '\u{10a00}', '\u{1e900}'])(
  '%s runs from right to left',
  letter => {
    expect(runsRightToLeft(`ls ${letter}`)).toBe(true)
  },
)

test('Latin, Chinese and Indian letters do not', () => {
  expect(runsRightToLeft('ls größe 日本 हिन्दी 👍')).toBe(false)
})
