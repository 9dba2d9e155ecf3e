/** Command lines without a shell, and words that a shell reads back as they are. */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quotedWord, quoteWord, splitWords } from '../../src/os/spawn/shell-words.ts'

describe('a command line', () => {
  test.each([
    ['claude -p', ['claude', '-p']],
    ['  a\tb\nc  ', ['a', 'b', 'c']],
    [`a 'b c' "d e"`, ['a', 'b c', 'd e']],
    [`a'b'"c"d`, ['abcd']],
    [`'' ""`, ['', '']],
    ['a\\ b \\"c', ['a b', '"c']],
    [`"a\\"b" "a\\\\b" "\\$x \\n"`, ['a"b', 'a\\b', '$x \\n']],
    [`'a\\b'`, ['a\\b']],
    ['a $HOME *.ts ~ | b && c # d', ['a', '$HOME', '*.ts', '~', '|', 'b', '&&', 'c', '#', 'd']],
    ['a\\\nb "c\\\nd"', ['ab', 'cd']],
    ['', []],
  ])('%j', (text, words) => {
    expect(splitWords(text)).toEqual(words)
  })

  test.each([`a 'b`, 'a "b', 'a\\', `"a'`])('%j is none', text => {
    expect(() => splitWords(text)).toThrow(expect.objectContaining({ code: 'BAD_WORDS' }))
  })

  test('a quoted word is the word again, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), words => {
        expect(splitWords(words.map(quoteWord).join(' '))).toEqual(words)
      }),
    )
  })

  test('a real shell reads the same words', () => {
    const words = ["it's", '', ' ', 'a\\b', '"', '$HOME', '~', '*', '`id`', 'ü\n', 'plain/word-1', '=x', '#']
    for (const quote of [quoteWord, quotedWord]) {
      const line = `printf '%s\\0' ${words.map(quote).join(' ')}`
      const printed = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })
      expect(printed.split('\0').slice(0, -1)).toEqual(words)
    }
  })

  test('what needs no quotes gets them where they are asked for alone', () => {
    expect([quoteWord('/bin:/usr'), quotedWord('/bin:/usr')]).toEqual(['/bin:/usr', "'/bin:/usr'"])
  })
})
