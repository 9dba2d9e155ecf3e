/** Instants of a server's monotonic clock, converted to those of this machine. Pure. */
import type { Instant } from '../../core/state.ts'

/**
 * Keeps the offset between the two clocks. An exchange bounds it: the server's instant was read between two instants of this
 * machine. An offset that these bounds allow is kept, so that the same instant of the server is always the same here. On one
 * machine both clocks are the same, and the offset stays 0. Else it is wrong by half of the exchange at most.
 */
export function clockOffset() {
  let offset = 0
  return {
    /** @param now the server's instant, read after `from` and before `to` of this machine */
    exchange(now: Instant, from: Instant, to: Instant): void {
      if (offset < from - now || offset > to - now) offset = (from + to) / 2 - now
    },
    get: (): number => offset,
  }
}
