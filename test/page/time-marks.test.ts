/** Marks of a timeline stand at round times of the reader's clock. */
import { describe, expect, test } from 'vitest'
import { timeMarks } from '../../src/page/views/time-marks.ts'

const at = (text: string): number => new Date(text).getTime()
const words = (from: string, to: string, most: number) =>
  timeMarks({ from: at(from), to: at(to) }, most).map(mark => mark.words)

describe('marks', () => {
  test.each([
    ['2026-03-03T10:07', '2026-03-03T11:07', 6, ['10:10', '10:20', '10:30', '10:40', '10:50', '11:00']],
    ['2026-03-03T10:07', '2026-03-03T11:07', 3, ['10:30', '11:00']],
    ['2026-03-03T22:30', '2026-03-04T10:30', 6, ['00:00', '02:00', '04:00', '06:00', '08:00', '10:00']],
    ['2026-03-02T12:00', '2026-03-05T12:00', 7, ['00:00', '12:00', '00:00', '12:00', '00:00']],
  ])('from %s to %s, at most %s', (from, to, most, expected) => {
    expect(words(from, to, most).slice(0, expected.length)).toEqual(expected)
    expect(words(from, to, most).length).toBeLessThanOrEqual(most + 1)
  })

  test('of a week are its days', () => {
    expect(words('2026-03-02T12:00', '2026-03-09T12:00', 8)).toEqual([
      'Tue',
      'Wed',
      'Thu',
      'Fri',
      'Sat',
      'Sun',
      'Mon',
    ])
  })

  test('of years are few as well', () =>
    expect(words('2020-01-01T00:00', '2026-01-01T00:00', 6).length).toBeLessThanOrEqual(7))
})
