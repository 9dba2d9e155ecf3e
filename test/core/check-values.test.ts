/** What a program gives to a public function: what is wrong with it, where, and what would be right. */
import { describe, expect, test } from 'vitest'
import { type Checks, checkValues, is } from '../../src/core/check-values.ts'
import { LullError } from '../../src/core/lull-error.ts'
import { openHandle } from '../../src/core/open-handle.ts'

type Check = Checks[string]

/** What is said of the value of `x`; undefined where nothing is wrong. */
function saidOf(check: Check, value: unknown): string | undefined {
  try {
    checkValues('call', [value], { x: check })
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ code: 'USAGE' })
    return (error as Error).message
  }
}

class Named {
  aborted = false
}

test.each<[string, Check, readonly unknown[], readonly [unknown, string][]]>([
  [
    'text',
    is.text,
    ['', 'a'],
    [
      [1, 'a text, not 1'],
      [undefined, 'a text, not undefined'],
    ],
  ],
  [
    'flag',
    is.flag,
    [true, false],
    [
      ['yes', 'true or false, not "yes"'],
      [null, 'true or false, not null'],
    ],
  ],
  [
    'number',
    is.number,
    [0, -1.5, Infinity],
    [
      [Number.NaN, 'a number, not NaN'],
      ['1', 'a number, not "1"'],
    ],
  ],
  [
    'duration',
    is.duration,
    [0, 1.5, Infinity],
    [
      [-1, 'a number of ms, 0 or more, not -1'],
      [Number.NaN, 'a number of ms, 0 or more, not NaN'],
      ['5s', 'a number of ms, 0 or more, not "5s"'],
    ],
  ],
  ['callback', is.callback, [() => 1], [[{}, 'a function, not an object']]],
  [
    'record',
    is.record,
    [{}],
    [
      [[], 'an object, not an empty list'],
      [[1], 'an object, not a list'],
      [() => 1, 'an object, not a function'],
    ],
  ],
  [
    'abortSignal',
    is.abortSignal,
    [new AbortController().signal, new Named()],
    [
      [{}, 'an AbortSignal, not an object'],
      ['aborted', 'an AbortSignal, not "aborted"'],
    ],
  ],
  [
    'wholeFrom',
    is.wholeFrom(2),
    [2, 3],
    [
      [1, 'a whole number, 2 or more, not 1'],
      [2.5, 'a whole number, 2 or more, not 2.5'],
      ['2', 'a whole number, 2 or more, not "2"'],
    ],
  ],
  [
    'oneOf',
    is.oneOf('a', 2),
    ['a', 2],
    [
      ['b', 'one of a, 2, not "b"'],
      ['x'.repeat(80), `one of a, 2, not "${'x'.repeat(60)}"`],
    ],
  ],
])('%s', (_, check, right, wrong) => {
  for (const value of right) expect([value, saidOf(check, value)]).toEqual([value, undefined])
  for (const [value, words] of wrong) expect(saidOf(check, value)).toBe(`call: x must be ${words}`)
})

test('what may be left out, a list, and one or more', () => {
  expect(saidOf(is.optional(is.text), undefined)).toBeUndefined()
  expect(saidOf(is.optional(is.text), 1)).toBe('call: x must be a text, not 1')
  expect(saidOf(is.listOf(is.text), [])).toBeUndefined()
  expect(saidOf(is.listOf(is.text), ['a', 1])).toBe('call: x[1] must be a text, not 1')
  expect(saidOf(is.listOf(is.text), 'a')).toBe('call: x must be a list, not "a"')
  expect(saidOf(is.listOf(is.text, 1), [])).toBe(
    'call: x must be a list that is not empty, not an empty list',
  )
  expect(saidOf(is.oneOrMore(is.text), 'a')).toBeUndefined()
  expect(saidOf(is.oneOrMore(is.text), ['a', 'b'])).toBeUndefined()
  expect(saidOf(is.oneOrMore(is.text), [])).toBe(
    'call: x must be a list that is not empty, not an empty list',
  )
  expect(saidOf(is.oneOrMore(is.text), 1)).toBe('call: x must be a text, not 1')
})

describe('options', () => {
  const check = is.options<{ readonly name?: string; readonly deep?: object }>({
    name: is.text,
    deep: is.options<{ readonly most?: number }>({ most: is.number }),
  })
  const said = (value: unknown): string | undefined => {
    try {
      checkValues('call', [value], { options: check })
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  test('may all be left out', () => {
    for (const value of [undefined, {}, { name: undefined }, { name: 'a', deep: { most: 1 } }])
      expect(said(value)).toBeUndefined()
  })

  test.each<[unknown, string]>([
    ['a', 'options must be an object, not "a"'],
    [{ nmae: 'a' }, 'options has no "nmae": there is name, deep'],
    [{ name: 1 }, 'name must be a text, not 1'],
    [{ deep: { most: 'a' } }, 'deep.most must be a number, not "a"'],
    [{ deep: { least: 1 } }, 'deep has no "least": there is most'],
  ])('%j', (value, words) => expect(said(value)).toBe(`call: ${words}`))
})

test('a shape may have more fields; one that throws is said', () => {
  const check = is.shape('a session', { id: is.text })
  expect(saidOf(check, { id: 'a', more: 1 })).toBeUndefined()
  expect(saidOf(check, { more: 1 })).toBe('call: x.id must be a text, not undefined')
  expect(saidOf(check, 'a')).toBe('call: x must be a session, not "a"')
  const throwing = (what: unknown) => ({
    get id(): string {
      throw what
    },
  })
  expect(saidOf(check, throwing(new Error('no\nid')))).toMatch(/^call: x can't be read: no.id$/)
  expect(saidOf(check, throwing('none'))).toBe("call: x can't be read: none")
})

test('the first value that is wrong is told, by its name', () => {
  const checks = { a: is.text, b: is.number }
  expect(() => checkValues('call', ['a', 1], checks)).not.toThrow()
  expect(() => checkValues('call', ['a', 'b'], checks)).toThrow('call: b must be a number, not "b"')
  expect(() => checkValues('call', [], checks)).toThrow('call: a must be a text, not undefined')
})

test('what is closed refuses to do anything more, and what is open wants the right values', async () => {
  const handle = openHandle('it is closed: open another')
  const calls: unknown[] = []
  const { call } = handle.guard(
    { call: (...given: unknown[]) => calls.push(given) },
    { call: { n: is.number } },
  )
  expect(() => handle.enter('look')).not.toThrow()
  expect(await call(1, 2)).toBe(1)
  await expect(call('a')).rejects.toThrow('call: n must be a number, not "a"')
  handle.close()
  await expect(call(1)).rejects.toMatchObject({ code: 'CLOSED', message: 'call: it is closed: open another' })
  expect(() => handle.enter('look')).toThrow(LullError)
  expect(calls).toEqual([[1, 2]])
})
