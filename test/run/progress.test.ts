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

describe('any amount of it', () => {
  test('a line without end takes no memory', () => {
    const progress = createProgressDetector()
    const piece = new Uint8Array(64 * 1024).fill(0x61)
    const before = process.memoryUsage().heapUsed
    for (let at = 0; at < 16_384; at++) progress.detect(piece, at)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * 1024 * 1024)
  })

  test('many different lines are forgotten again', () => {
    const progress = createProgressDetector()
    const encoder = new TextEncoder()
    const name = (n: number) => n.toString(2).replaceAll('0', 'a').replaceAll('1', 'b')
    const tell = (n: number, at: number) => progress.detect(encoder.encode(`${name(n)}\n`), at)
    expect(tell(1, 0)).toBe(true)
    expect(tell(1, 1000)).toBe(false)
    for (let n = 2; n < 1000; n++) tell(n, n * 1000)
    expect(tell(1, 2_000_000)).toBe(true)
  })

  test('of a flood only samples are read', () => {
    const progress = createProgressDetector()
    let reads = 0
    const piece = new Proxy(new Uint8Array(65_536), {
      get(of, key) {
        if (key === 'subarray') reads++
        const value = Reflect.get(of, key) as unknown
        return typeof value === 'function' ? value.bind(of) : value
      },
    })
    for (let n = 0; n < 10_000; n++) progress.detect(piece, n / 100)
    // Two ends of a piece, eight pieces at most in each 100 ms.
    expect(reads).toBeGreaterThan(0)
    expect(reads).toBeLessThanOrEqual(2 * 8 * 2)
  })

  test('a character that two pieces share changes no line', () => {
    const progress = createProgressDetector()
    const bytes = new TextEncoder().encode('\r⠋ Loading')
    progress.detect(bytes, 0)
    expect(progress.detect(bytes, 1000)).toBe(true)
    expect(progress.detect(bytes.subarray(0, 2), 2000)).toBe(false)
    expect(progress.detect(bytes.subarray(2), 2001)).toBe(false)
    expect(progress.detect(bytes, 3000)).toBe(false)
  })
})
