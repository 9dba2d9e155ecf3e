import { describe, expect, test } from 'vitest'
import { formatDuration, parseDuration, parseTyped } from '../../src/core/text/duration.ts'

describe('a duration that is read', () => {
  test.each([
    ['250ms', 250],
    ['90s', 90_000],
    ['2m', 120_000],
    ['1h30m', 5_400_000],
    ['1.5d', 129_600_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['0s', 0],
    [' 12s ', 12_000],
    ['10.25s', 10_250],
  ])('%s is %i ms', (text, ms) => expect(parseDuration(text)).toBe(ms))

  test.each(['', '90', 's', '-5s', '1 h', '1h 30m', '5w', '1.s', '.5s', '90sx', 'x90s', '5msec', '1hh'])(
    '%j is refused, with what would be right',
    text =>
      expect(() => parseDuration(text)).toThrow(
        expect.objectContaining({
          code: 'BAD_DURATION',
          facts: { text },
          message: `"${text}" is not a duration: write a number with a unit, like 90s, 1h30m or 250ms`,
        }),
      ),
  )
})

test.each([
  ['5', 5000],
  ['0.5', 500],
  [' 12 ', 12_000],
  ['5s', 5000],
  ['1h30m', 5_400_000],
])('%s on a command line is %i ms', (text, ms) => expect(parseTyped(text)).toBe(ms))

test.each(['', '-5', '5 6', '.5', '1e3', 'soon'])('%j is no duration on a command line either', text =>
  expect(() => parseTyped(text)).toThrow(expect.objectContaining({ code: 'BAD_DURATION' })),
)

test.each([
  [0, '0.0 s'],
  [400, '0.4 s'],
  [9_949, '9.9 s'],
  [9_950, '10 s'],
  [59_499, '59 s'],
  [59_500, '1 min'],
  [61_000, '1 min 1 s'],
  [200_000, '3 min 20 s'],
  [3_599_000, '59 min 59 s'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [172_799_000, '47 h 59 min'],
  [172_800_000, '2 d 0 h'],
  [187_200_000, '2 d 4 h'],
])('%i ms are written as %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
