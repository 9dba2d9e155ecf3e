import { expect, test } from 'vitest'
import { readTime } from '../../src/cli/flags/flag-values.ts'

const now = new Date(2026, 10, 24, 9, 30).getTime()
const local = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes).getTime()

test.each([
  ['22:00', local(23, 22)],
  ['9:15', local(24, 9, 15)],
  ['8h', now - 8 * 3_600_000],
  ['2026-11-20', local(20, 0)],
  ['2026-11-20T02:05', local(20, 2, 5)],
  ['2026-11-20T02:05:00Z', Date.UTC(2026, 10, 20, 2, 5)],
])('%s', (text, time) => expect(readTime('--since', text, now)).toBe(time))

test.each(['', 'soon', '25:00', '2026-13-40', '-1h', '10'])('%j is not a time', text =>
  expect(() => readTime('--since', text, now)).toThrow(/--since .*: not a time/),
)
