/** The real clock, and one that a test or a replay moves by hand. */
import type { Clock, Timer } from '../core/clock.ts'
import type { Instant } from '../core/state.ts'

/** Node's timers overflow past 2^31 ms and then fire at once. */
const longestTimer = 2_000_000_000

/**
 * The machine's monotonic clock: the same line in every process, so that a host and its callers mean the same instant.
 * @param keepsAlive a program does not end while one of its timers is set
 */
export function realClock(keepsAlive = false): Clock {
  const now = () => Number(process.hrtime.bigint()) / 1e6
  return {
    now,
    wall: () => Date.now(),
    at(at, call) {
      const timer = setTimeout(call, Math.min(Math.max(0, Math.ceil(at - now())), longestTimer))
      if (!keepsAlive) timer.unref()
      return { cancel: () => clearTimeout(timer) }
    },
  }
}

/** When the clock is next at a multiple of `everyMs`: those who look at the same pace look together, and wake the processor once. */
export const nextBeat = (now: Instant, everyMs: number): Instant => (Math.floor(now / everyMs) + 1) * everyMs

export type VirtualClock = Clock & {
  /** Moves time on and calls back every timer that falls due, in order. */
  advance(ms: number): void
}

export function virtualClock(wall = 0): VirtualClock {
  let now: Instant = 0
  const timers = new Set<{ at: Instant; call: () => void }>()
  return {
    now: () => now,
    wall: () => wall + now,
    at(at, call): Timer {
      const timer = { at, call }
      timers.add(timer)
      return { cancel: () => timers.delete(timer) }
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const due = [...timers].filter(timer => timer.at <= end).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        timers.delete(due)
        now = Math.max(now, due.at)
        due.call()
      }
      now = end
    },
  }
}
