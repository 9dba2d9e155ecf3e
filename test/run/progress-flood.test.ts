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
