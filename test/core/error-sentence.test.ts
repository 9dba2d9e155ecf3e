import { describe, expect, test } from 'vitest'
import { sentenceFor, usageOf, withoutOptions } from '../../src/core/error-sentence.ts'
import { LullError } from '../../src/core/lull-error.ts'

const failed = (code: string): Error => Object.assign(new Error('it failed'), { code })

test.each([
  ['it may be busy: --force types', 'it may be busy'],
  [
    'its line is not empty: "a; --b c"; --clear clears it, --append types behind it',
    'its line is not empty: "a; --b c"',
  ],
  ['it takes keys: lull keys presses them; --force types', 'it takes keys: lull keys presses them'],
  ['its line is not empty: "rm; --force x"', 'its line is not empty: "rm; --force x"'],
])('%s: without the options of lull send', (sentence, rest) => expect(withoutOptions(sentence)).toBe(rest))

describe('an error that the input caused is a sentence', () => {
  test.each<[unknown, string | undefined]>([
    [failed('ENOENT'), 'no such file'],
    [failed('EISDIR'), 'is a folder, not a file'],
    [failed('EACCES'), 'this user has no right to it'],
    [failed('Z_DATA_ERROR'), 'named .gz, but it is not whole gzip data'],
    [failed('Z_BUF_ERROR'), 'named .gz, but it is not whole gzip data'],
    [failed('ERR_BUFFER_TOO_LARGE'), 'unpacks to more than 64 MB: unpack it first'],
    [new LullError('BAD_PLACE', 'no such place'), 'no such place'],
    [failed('EIO'), 'its disk fails'],
    [failed('ENOTCONN'), undefined],
    [
      new Error('Cannot read package config /x/package.json: too many open files.'),
      'too many files are open (ulimit -n)',
    ],
    [new Error('a fault of ours'), undefined],
    [{ code: 'ENOENT' }, undefined],
    [undefined, undefined],
  ])('%s: %s', (error, sentence) => {
    expect(sentenceFor(error)).toBe(sentence)
    expect(sentenceFor(error, 'a.cast')).toBe(sentence && `a.cast: ${sentence}`)
  })

  test.each(['USAGE', 'BAD_RALPH'] as const)('%s says where by itself', code => {
    expect(sentenceFor(new LullError(code, 'b.md: no such thing'), 'a.cast')).toBe('b.md: no such thing')
  })

  test('is one of usage then, and a fault of ours stays as it is', () => {
    expect(usageOf(failed('ENOENT'), 'a.cast')).toEqual(new LullError('USAGE', 'a.cast: no such file'))
    expect(usageOf(failed('ENOENT'), 'a.cast')).toMatchObject({ code: 'USAGE' })
    const fault = new Error('a fault of ours')
    expect(usageOf(fault, 'a.cast')).toBe(fault)
  })
})
