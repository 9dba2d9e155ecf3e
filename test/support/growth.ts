/** Whether work grows as its input does, told without a clock's absolute figures: a busy machine slows both sizes down. */
import { expect } from 'vitest'

const factor = 8

/** Processor time of this thread, ms; the least of three tries, as others may take the caches. */
function costOf(work: () => void): number {
  const tries = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...tries)
}

/**
 * Eight times the input may take three times eight times the work, and no more: what is quadratic takes 64 times.
 * @param work the same for a size and for eight times as much
 * @param size large enough that the work can be measured
 */
export function expectLinear(work: (size: number) => void, size: number): void {
  work(size)
  const small = costOf(() => work(size))
  const large = costOf(() => work(size * factor))
  // Of less than a few ms nothing can be told.
  expect(large).toBeLessThan(3 * factor * Math.max(small, 3))
}
