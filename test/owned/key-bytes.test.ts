import { describe, expect, test } from 'vitest'
import { LullError } from '../../src/core/lull-error.ts'
import { readKey } from '../../src/os/tmux/key-names.ts'
import { keyBytes } from '../../src/owned/key-bytes.ts'

const plain = { isApplicationCursor: false, isBracketedPaste: false }
const bytes = (word: string, modes = plain): string => keyBytes(readKey(word), modes)

describe('what a key sends, as xterm does it', () => {
  test.each([
    ['Enter', '\r'],
    ['Escape', '\u001b'],
    ['Tab', '\t'],
    ['S-Tab', '\u001b[Z'],
    ['BTab', '\u001b[Z'],
    ['BSpace', '\u007f'],
    ['Space', ' '],
    ['x', 'x'],
    ['ä', 'ä'],
    ['C-c', '\u0003'],
    ['^C', '\u0003'],
    ['C-Space', '\u0000'],
    ['C-[', '\u001b'],
    ['M-x', '\u001bx'],
    ['M-Enter', '\u001b\r'],
    ['C-M-a', '\u001b\u0001'],
    ['Up', '\u001b[A'],
    ['C-Left', '\u001b[1;5D'],
    ['S-Up', '\u001b[1;2A'],
    ['Home', '\u001b[H'],
    ['F1', '\u001bOP'],
    ['F5', '\u001b[15~'],
    ['S-F5', '\u001b[15;2~'],
    ['PageDown', '\u001b[6~'],
    ['Delete', '\u001b[3~'],
  ])('%s', (word, expected) => {
    expect(bytes(word)).toBe(expected)
  })

  test('cursor keys are others where the program asked for them', () => {
    const application = { ...plain, isApplicationCursor: true }
    expect(bytes('Up', application)).toBe('\u001bOA')
    expect(bytes('C-Up', application)).toBe('\u001b[1;5A')
  })

  test('what no terminal sends is said', () => {
    expect(() => bytes('C-1')).toThrow(LullError)
  })
})
