/**
 * What a program has printed and is not computed yet. It is copied into two buffers that take turns, so that the pieces in
 * which it came die at once: kept for a while, each costs the garbage collection more than its bytes.
 */
import { type ScrolledPast, scrolledPast } from './scrolled-past.ts'

const bufferSize = 512 * 1024
/** More than this waits: the program waits, too. */
export const mostWaiting = 32 * 1024
/** Where what scrolls away may be passed over, so much of it is kept at first: a history is some hundred KB. */
export const mostScrolling = bufferSize - 128 * 1024

export type WaitingOutput = {
  size(): number
  add(piece: Buffer): void
  /** @param reach line feeds after which nothing is kept of a row; what has scrolled away by them is passed over */
  passOver(reach: number): Pick<ScrolledPast, 'isPlain' | 'lineFeeds'>
  /** All of it, valid until the next time. */
  take(): Buffer
}

export function waitingOutput(): WaitingOutput {
  let [filling, spare] = [Buffer.alloc(bufferSize), Buffer.alloc(bufferSize)]
  let size = 0
  return {
    size: () => size,
    add(piece) {
      if (size + piece.length > filling.length)
        filling = Buffer.concat([filling.subarray(0, size)], size + piece.length)
      piece.copy(filling, size)
      size += piece.length
    },
    passOver(reach) {
      const { from, attributes, isPlain, lineFeeds } = scrolledPast(filling.subarray(0, size), reach)
      if (from > 0) {
        // A copy, as what is moved may lie over them.
        const set = Buffer.concat(attributes)
        filling.copyWithin(set.length, from, size)
        set.copy(filling)
        size += set.length - from
      }
      return { isPlain, lineFeeds }
    },
    take() {
      const whole = filling.subarray(0, size)
      ;[filling, spare, size] = [spare, filling, 0]
      return whole
    },
  }
}
