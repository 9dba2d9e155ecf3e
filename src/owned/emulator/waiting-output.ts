/**
 * What a program has printed and is not computed yet. It is copied into two buffers that take turns, so that the pieces in
 * which it came die at once: kept for a while, each costs the garbage collection more than its bytes.
 */
import { endOfLines, lineFeedsIn, scrolledPast } from './scrolled-past.ts'

const bufferSize = 512 * 1024
/** More than this waits: the program waits, too. */
export const mostWaiting = 32 * 1024
/** Where what scrolls away may be passed over, so much of it is kept at first: a history is some hundred KB. */
export const mostScrolling = 256 * 1024

export type WaitingOutput = {
  size(): number
  add(piece: Buffer): void
  /** All of it is lines and their colours: what can follow finds the terminal as it was. */
  isLines(): boolean
  lineFeeds(): number
  /** Passes over what has scrolled away by what waits. @param reach line feeds after which nothing is kept of a row */
  passOver(reach: number): void
  /** All of it, valid until the next time. */
  take(): Buffer
}

export function waitingOutput(): WaitingOutput {
  let [filling, spare] = [Buffer.alloc(bufferSize), Buffer.alloc(bufferSize)]
  /** So many are known to be lines: no byte is looked at twice. */
  let [size, lines] = [0, 0]

  const all = (): Buffer => filling.subarray(0, size)

  function knownLines(): number {
    lines = endOfLines(all(), lines)
    return lines
  }

  return {
    size: () => size,
    add(piece) {
      if (size + piece.length > filling.length) filling = Buffer.concat([all()], size + piece.length)
      piece.copy(filling, size)
      size += piece.length
      knownLines()
    },
    isLines: () => knownLines() === size,
    lineFeeds: () => lineFeedsIn(all()),
    passOver(reach) {
      const { from, attributes } = scrolledPast(filling.subarray(0, knownLines()), reach)
      if (from === 0) return
      // A copy, as what is moved may lie over them.
      const set = Buffer.concat(attributes)
      filling.copyWithin(set.length, from, size)
      set.copy(filling)
      size += set.length - from
      lines += set.length - from
    },
    take() {
      const whole = all()
      ;[filling, spare, size, lines] = [spare, filling, 0, 0]
      return whole
    },
  }
}
