import { describe, expect, test } from 'vitest'
import { createProgressDetector } from '../../src/run/step/progress.ts'

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

  test('of a flood the ends are read, and all of it again once it is over', () => {
    const progress = createProgressDetector()
    const encoder = new TextEncoder()
    const large = (head: string, tail: string) => encoder.encode(`${head}\n${' '.repeat(9000)}\n${tail}\n`)
    const tell = (piece: Uint8Array, at: number) => progress.detect(piece, at)
    expect(tell(large('one', 'two'), 0)).toBe(true)
    expect(tell(large('one', 'two'), 1)).toBe(false)
    expect(tell(large('three', 'two'), 2)).toBe(true)
    expect(tell(large('three', 'four'), 3)).toBe(true)
    // Four of them were half of what is read in 100 ms.
    for (let n = 0; n < 4; n++) tell(large('one', 'two'), 4)
    expect(tell(encoder.encode('five\n'), 99)).toBe(false)
    expect(tell(encoder.encode('five\n'), 100)).toBe(true)
    expect(tell(encoder.encode('six\n'), 150)).toBe(true)
  })

  test('a line that is cut goes on with the next piece, and no further than it is remembered', () => {
    const progress = createProgressDetector()
    const encoder = new TextEncoder()
    const tell = (text: string, at: number) => progress.detect(encoder.encode(text), at)
    expect(tell('\rload', 0)).toBe(false)
    expect(tell('ing\r', 1000)).toBe(true)
    expect(tell('loading\r', 2000)).toBe(false)
    expect(tell('lo', 3000)).toBe(false)
    expect(tell('ading\r', 4000)).toBe(false)
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
