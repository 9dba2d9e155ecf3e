import { describe, expect, test } from 'vitest'
import { createProgressDetector } from '../../src/run/step/progress.ts'

/** Output in, the instants (s) of what counts as progress out. */

type Row = readonly [seconds: number, text: string]

function progressOf(rows: readonly Row[]): number[] {
  const progress = createProgressDetector()
  const encoder = new TextEncoder()
  return rows.filter(([at, text]) => progress.detect(encoder.encode(text), at * 1000)).map(([at]) => at)
}

const every = (step: number, count: number, text: (n: number, at: number) => string): Row[] =>
  Array.from({ length: count }, (_, n) => [n * step, text(n, n * step)] as const)

const braille = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const clock = (seconds: number): string =>
  `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
const irregular = [0, 0.4, 2.9, 3.1, 7, 7.2, 7.3, 11, 16, 16.1, 23, 24]

describe('what is painted again and again is no progress', () => {
  const cases: Readonly<Record<string, readonly Row[]>> = {
    'a braille spinner': every(0.1, 300, n => `\r\u001b[K${braille[n % 10]} Loading`),
    'a spinner of bars': every(0.1, 300, n => `\r${'|/-\\'[n % 4]} building`),
    'a spinner by backspaces': every(0.1, 300, n => `\b${'|/-\\'[n % 4]}`),
    'dots that grow and start over': every(0.3, 100, n => `\r\u001b[Kthinking${'.'.repeat(n % 4)}`),
    'coloured frames': every(0.1, 300, n => `\r\u001b[3${n % 8}m● working\u001b[0m`),
    'the same line over and over': every(5, 60, () => 'still waiting for the lock\n'),
    'the same block, redrawn': every(1, 60, () => '\u001b[2A\u001b[Jone\ntwo\n'),
    'a clock of seconds': every(1, 300, n => `\rworking (${n}s)`),
    'a clock of tenths': every(0.1, 300, n => `\rworking ${(n / 10).toFixed(1)} s`),
    'a clock of minutes and seconds': every(0.5, 600, (_, at) => `\r${clock(at)} elapsed`),
    'a clock that is painted unevenly': every(0.7, 400, (_, at) => `\rworking (${Math.floor(at)}s)`),
    'a spinner with a clock': every(
      0.08,
      600,
      (n, at) => `\r${braille[n % 10]} Thinking… ${Math.floor(at)}s`,
    ),
    'a countdown': every(1, 200, n => `\rretry in ${300 - n} s`),
    'lines that only tell the time': every(10, 60, (_, at) => `2026-01-04 10:${clock(at)} waiting\n`),
    'hours, minutes and seconds in words': every(1, 200, n => `\r${Math.floor(n / 60)}m ${n % 60}s so far`),
    'a counted heartbeat': every(60, 60, n => `keepalive ${n}\n`),
    'titles and colours alone': every(1, 60, n => `\u001b]0;frame ${braille[n % 10]}\u0007\u001b[0m`),
    'empty lines': every(1, 60, () => '\n'),
  }
  for (const [name, rows] of Object.entries(cases)) {
    test(name, () => {
      const last = progressOf(rows).at(-1) ?? 0
      // It takes a few sights to know a clock: from then on it counts for nothing.
      const known = rows[Math.min(8 * Math.ceil(rows.length / 60), rows.length - 1)] as Row
      expect(last).toBeLessThanOrEqual(known[0])
    })
  }
})

describe('what tells something new is progress', () => {
  const cases: Readonly<Record<string, readonly Row[]>> = {
    'lines that differ': every(5, 20, n => `compiling ${'abcdefghijklmnopqrst'[n]}.c\n`),
    'a counter that follows the work': irregular.map((at, n) => [at, `[${n}/300] tests done\n`] as const),
    'per cent, painted over': irregular.map((at, n) => [at, `\rdownloading ${n * 3}%`] as const),
    'dots for tests': every(2, 30, () => '.'),
    'words without a line end': every(2, 30, n => ` word${'abcdefghijklmnopqrstuvwxyzabcd'[n]}`),
    'rows of stream-json, the same ones too': every(5, 30, () => '{"type":"assistant","message":{}}\n'),
    'the log of a server': irregular.map(
      (at, n) => [at, `GET /x 200 in ${[5, 99, 12][n % 3]} ms\n`] as const,
    ),
  }
  for (const [name, rows] of Object.entries(cases)) {
    test(name, () => expect(progressOf(rows).length).toBeGreaterThanOrEqual(rows.length - 1))
  }

  test('work that comes to an end under a spinner that goes on', () => {
    const rows = [
      ...every(0.1, 100, n => `\r${braille[n % 10]} step ${n < 50 ? 'one' : 'two'}`),
      ...every(0.1, 600, n => `\r${braille[n % 10]} step two`).map(([at, text]) => [at + 10, text] as const),
    ]
    // What is painted over is judged by the frame after it.
    expect(progressOf(rows).map(at => at.toFixed(1))).toEqual(['0.1', '5.1'])
  })

  test('a clock that is set', () => {
    const rows = every(1, 100, n => `\rat ${n < 50 ? n : n + 1000} s`)
    expect(progressOf(rows)).toContain(51)
  })
})

/** Lines a second apart, and which of them were progress: `+` or `-` each. */
const signs = (lines: readonly string[], end = '\n', step = 1): string => {
  const progress = createProgressDetector()
  const encoder = new TextEncoder()
  return lines
    .map((line, n) => (progress.detect(encoder.encode(`${line}${end}`), n * step * 1000) ? '+' : '-'))
    .join('')
}

describe('line by line', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['the same', ['a', 'a', 'b', 'a'], '+-+-'],
    ['blanks', ['', '  ', '\t'], '---'],
    ['a glyph in it', ['⠋ load', '⠙ load', '⠙  load'], '+--'],
    ['arrows, boxes, moons and stars', ['→ x', '■ x', '🌓 x', '★ x', '⬛ x', '\ufffd x', '❯ x'], '+------'],
    ['other signs', ['é x', '§ x', '∀ x'], '+++'],
    ['bars that stand alone', ['| x', '/ x', '- x', '\\ x', '* x', '[=>  ] x', '## x'], '+------'],
    ['bars within a word', ['a|b', 'a/b', 'a-b'], '+++'],
    ['dots behind a word', ['x.', 'x..', 'x…', 'x'], '+---'],
    ['numbers', ['x 1', 'x 1', 'x 2', 'x 1.5'], '+-++'],
    ['numbers of several', ['x 1 of 2', 'x 1 of 3', 'x 2 of 3'], '+++'],
    ['more numbers than are kept', ['1 1 1 1 1 1 1 1 5', '1 1 1 1 1 1 1 1 9'], '--'],
    ['numbers alone', ['1', '2', '7', '7'], '-++-'],
    ['another word at a number', ['x 1 a', 'x 2 b'], '++'],
    ['colours', ['\u001b[31mx', '\u001b[32mx', 'x\u001b[0m'], '+--'],
    ['titles', ['\u001b]0;a\u0007x', '\u001b]0;b\u0007x', '\u001b]0;c\u001b\\x'], '+--'],
    ['a charset', ['\u001b(Bx', 'x'], '+-'],
    [
      'rows of stream-json',
      ['{"type":"a"}', '{"type":"a"}', '  {"x":1, "type" : "a"}', '{"x":1}', '{"x":2}', 'x {"type":"a"}'],
      '++++++',
    ],
    ['a clock of minutes', ['0:01', '0:02', '0:03', '0:04', '0:05', '0:06'], '-++---'],
    ['a clock of hours', ['1:00:01', '1:00:02', '1:00:03', '1:00:04', '1:00:05', '1:00:09'], '-++--+'],
    ['a clock that jumps', ['0:01', '0:02', '0:03', '0:04', '0:05', '9:00'], '-++--+'],
    ['seconds in words', ['1m 1s', '1m 2s', '1m 3s', '1m 4s', '1m 5s', '2 min 6 sec'], '-++--+'],
    ['hours in words', ['1h 1m', '1h 2m', '1 h 3 min', '1 hours 4 min', '1h 5m 1s'], '-++++'],
    [
      'a date',
      ['2026-01-04 10:00:01', '2026-01-04T10:00:02', '2026-01-04 10:00:03.5', '2026-01-04 10:00:04'],
      '-+++',
    ],
    [
      'dates to the next day',
      [
        '2026-01-31 23:59:58',
        '2026-01-31 23:59:59',
        '2026-02-01 00:00:00',
        '2026-02-01 00:00:01',
        '2026-02-01 00:00:02',
      ],
      '-++--',
    ],
    ['a steady count', ['n 10', 'n 20', 'n 30', 'n 40', 'n 50', 'n 60', 'n 70'], '+++----'],
    ['a steady count down', ['n 70', 'n 60', 'n 50', 'n 40', 'n 30', 'n 20'], '+++---'],
    [
      'a count that stands still between',
      ['n 1', 'n 1', 'n 2', 'n 2', 'n 3', 'n 3', 'n 4', 'n 4', 'n 5'],
      '+-+-+----',
    ],
    ['a count that hastens', ['n 1', 'n 2', 'n 4', 'n 8', 'n 16', 'n 32', 'n 64'], '+++++++'],
    ['a count that comes back', ['n 1', 'n 2', 'n 1', 'n 2', 'n 1', 'n 2'], '++++++'],
    [
      'a clock of hours in words',
      ['a 1h 1m 1s', 'a 1h 1m 2s', 'a 1h 1m 3s', 'a 1h 1m 4s', 'a 1h 1m 5s'],
      '+++--',
    ],
    ['a clock of tenths', ['0:00.1', '0:01.1', '0:02.1', '0:03.1', '0:04.1'], '-++--'],
    ['a clock of tenths, after a comma', ['0:00,1', '0:01,1', '0:02,1', '0:03,1', '0:04,1'], '-++--'],
    [
      'a date of tenths, to the next year',
      [
        '2026-12-31 23:59:57.25',
        '2026-12-31 23:59:58.25',
        '2026-12-31 23:59:59.25',
        '2027-01-01 00:00:00.25',
      ],
      '-++-',
    ],
    ['words that only blanks tell apart', ['x  y', 'x y', ' x y', 'xy'], '+--+'],
    ['text before a row', ['x {"type":1}', 'x {"type":1}'], '+-'],
    ['a count of less than one', ['n 0.10', 'n 0.20', 'n 0.30', 'n 0.40', 'n 0.50'], '+++--'],
    ['control characters', ['a\u0001b', 'ab', 'a\u009fb'], '+--'],
    ['a long line, and its end', ['x'.repeat(512), 'x'.repeat(600), `${'x'.repeat(511)}y`], '+-+'],
  ]
  test.each(cases)('%s', (_, lines, expected) => expect(signs(lines)).toBe(expected))

  const painted: readonly (readonly [string, readonly string[], string, string])[] = [
    ['a word after a word', ['ab', 'cd', 'ef'], '', '+++'],
    ['blanks and bars', [' ', '|', '-', '\\', '/', '⠋'], '', '------'],
    ['over itself', ['a', 'a', 'b', 'b', 'c'], '\r', '+-+-+'],
    ['by backspaces', ['a', 'a', 'b', 'b'], '\b', '+-+-'],
    ['by a clear', ['a', 'a', 'b', 'b'], '\u001b[2K', '+-+-'],
    ['by a move', ['a', 'a', 'b', 'b'], '\u001b[1A', '+-+-'],
    ['by colours it is not', ['a', 'a', 'b', 'b'], '\u001b[1m', '++++'],
    ['with a line end after it', ['a', 'a', 'b', 'b'], '\r\n', '+-+-'],
  ]
  test.each(painted)('painted: %s', (_, lines, end, expected) => expect(signs(lines, end)).toBe(expected))

  test.each([
    [1, '+++---------'],
    [0.3, '+---+--+----'],
    [10, '+++---------'],
  ])('a clock of seconds, every %d s', (step, expected) => {
    const lines = Array.from({ length: 12 }, (_, n) => `at ${Math.floor(n * step)}s`)
    expect(signs(lines, '\r', step)).toBe(expected)
  })

  test.each([
    [249, '+++---------'],
    [260, '+++++-++--+-'],
    [400, '++++++++++++'],
  ])('a clock that is late by %i ms now and then', (late, expected) => {
    const progress = createProgressDetector()
    const encoder = new TextEncoder()
    const told = Array.from({ length: 12 }, (_, n) =>
      progress.detect(encoder.encode(`at ${n} s\n`), n * 1000 + (n % 3 === 2 ? late : 0)) ? '+' : '-',
    )
    expect(told.join('')).toBe(expected)
  })
})
