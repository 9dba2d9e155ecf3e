import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { characterWidth } from '../../src/core/text/character-width.ts'
import { textWidth } from '../../src/os/tty/text-width.ts'

const codePoints = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, offset) => String.fromCodePoint(from + offset))

test('each character is as wide alone as the package for texts says', () => {
  const all = [...codePoints(0, 0x20000), ...codePoints(0xe0000, 0xe0200)]
  expect(all.filter(character => characterWidth(character) !== stringWidth(character))).toEqual([])
})

test('what stands beside each other changes nothing of a narrow text', () => {
  const some = fc.constantFrom(...codePoints(0, 0x3000), '表', '👍', '🏽', '\ufe0f', '\ufe0e')
  fc.assert(fc.property(fc.array(some), all => textWidth(all.join('')) === stringWidth(all.join(''))))
})
