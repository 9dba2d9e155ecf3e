import { describe, expect, test } from 'vitest'
import { isLullError, LullError } from '../../src/core/lull-error.ts'

describe('an error of lull', () => {
  test('knows the exit code of its code', () => {
    expect(new LullError('NOT_FOUND', 'no such command').exit).toBe(127)
  })

  test.each([
    ['waitsForPerson', 3],
    ['stuck', 4],
    ['gone', 5],
    ['failed', 1],
  ] as const)('that refuses to type because of %s exits %i', (outcome, exit) => {
    expect(new LullError('REFUSED_TO_TYPE', 'no', { outcome, typed: 0 }).exit).toBe(exit)
  })

  test('has facts that a program may read', () => {
    const error: unknown = new LullError('AMBIGUOUS_SESSION', 'two', {
      address: 'api',
      candidates: ['a', 'b'],
    })
    expect(isLullError(error, 'NO_SESSION', 'AMBIGUOUS_SESSION') && error.facts.address).toBe('api')
  })

  test('is told by its code', () => {
    const error = new LullError('BAD_KEY', 'no key')
    expect([
      isLullError(error),
      isLullError(error, 'BAD_GOAL', 'BAD_KEY'),
      isLullError(error, 'BAD_GOAL'),
    ]).toEqual([true, true, false])
  })

  test('is known also where another copy of the package threw it', async () => {
    const path = '../../src/core/lull-error.ts?copy'
    const copy = (await import(path)) as typeof import('../../src/core/lull-error.ts')
    const error = new copy.LullError('BAD_KEY', 'no key')
    expect(error).not.toBeInstanceOf(LullError)
    expect(isLullError(error, 'BAD_KEY')).toBe(true)
  })

  test.each([
    ['an error of the system', Object.assign(new Error('busy'), { code: 'ENDED' })],
    ['a record with its fields', { name: 'LullError', code: 'BAD_KEY', message: 'no key' }],
    ['nothing', undefined],
  ])('is not %s', (_, thrown) => {
    expect(isLullError(thrown)).toBe(false)
  })
})
