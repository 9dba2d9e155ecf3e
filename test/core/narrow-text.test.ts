import { expect, test } from 'vitest'
import { isNarrow } from '../../src/core/text/character-width.ts'

test.each([
  ['', true],
  ['plain words, ~ and all', true],
  ['né │ ─ ❯ ● ⠋', true],
  ['日本 behind', false],
  ['before 日本', false],
  ['before 日 behind', false],
  ['a soft\u00adhyphen', false],
  ['a combining e\u0301', false],
])('%j needs no table: %j', (text, expected) => expect(isNarrow(text)).toBe(expected))
