import { expect, test } from 'vitest'
import { parseIso, parseStamp } from '../../src/core/trace/time-stamp.ts'

test.each([
  '1970-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '2000-02-29T12:34:56.789Z',
  '2100-03-01T00:00:00Z',
  '2026-11-21T21:00:00.5Z',
  '2024-12-31T23:59:59.999+02:00',
  '1600-02-29T01:02:03-11:30',
  '2001-01-31T00:00:00+00:45',
])('%s is the time that a calendar says', text => expect(parseIso(text)).toBe(Date.parse(text)))

test('every day of eight centuries is the one after the day before', () => {
  const pad = (n: number, length: number) => String(n).padStart(length, '0')
  for (let day = -146_097; day < 146_097; day += 13) {
    const date = new Date(day * 86_400_000)
    const text = `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`
    expect(parseIso(`${text}T00:00:00Z`)).toBe(day * 86_400_000)
  }
})

test.each([
  ['2026-11-21 21:00:00,25', '2026-11-21T21:00:00.250Z'],
  ['2026-11-21T21:00:00', '2026-11-21T21:00:00Z'],
  ['2026-11-21T21:00:00.123456789Z', '2026-11-21T21:00:00.123Z'],
  ['2026-11-21T21:00:00+0130', '2026-11-21T21:00:00+01:30'],
])('%s is %s', (text, same) => expect(parseIso(text)).toBe(Date.parse(same)))

test.each([
  '',
  '2026-11-21',
  'at 2026-11-21T21:00:00Z',
  '2026-11-21T21:00:00Z!',
  '2026-11-21T21:00Z',
  '2026-11-21T21:00:00+1',
  '2026-11-21_21:00:00Z',
  '2026-11-21T21:00:00.Z',
  '2026-11-21T21:00:00.1234567890Z',
])('%j is no time', text => expect(parseIso(text)).toBeUndefined())

test.each([
  ['2026-11-21T21:00:00Z', 1_795_294_800_000],
  [1_795_294_800, 1_795_294_800_000],
  [1_795_294_800_123, 1_795_294_800_123],
  [1e8, 1e11],
  [1e11, 1e14],
  [1e11 + 1, 1e11 + 1],
  [1e8 - 1, undefined],
  [-5, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ['soon', undefined],
  [null, undefined],
  [{}, undefined],
] as const)('the stamp %j is %s', (value, ms) => expect(parseStamp(value)).toBe(ms))
