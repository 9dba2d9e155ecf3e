/**
 * What a program prints on its pseudo terminal: to who listens at once, to the emulator as fast as that computes it. Lines
 * of a flood that have scrolled away for good before their turn are not computed. Where too much waits all the same, the
 * program does: nothing is lost.
 */
import type { IPty } from '@lydell/node-pty'
import { attempt } from '../../os/attempt.ts'
import type { Emulator } from './emulator.ts'
import type { FeedBudget } from './feed-budget.ts'
import { type ScrolledPast, scrolledPast } from './scrolled-past.ts'

export type PtyOutput = {
  /** Bytes that it has printed. */
  count(): number
  /** ms since the epoch */
  outputAt(): number
  /** @returns the way to stop */
  listen(onOutput: (piece: Buffer) => void): () => void
  /** Whether all that was printed so far is on the screen, by now or within `ms`: a flood is computed more slowly than printed. */
  isShown(ms: number): Promise<boolean>
}

/**
 * What waits to be computed is copied into two buffers that take turns, so that the pieces in which it came die at once: kept
 * for a while, each costs the garbage collection more than its bytes.
 */
const bufferSize = 512 * 1024
/** More than this waits: the program waits, too. */
const mostQueued = 32 * 1024
/** Where what scrolls away may be passed over, so much of it is kept at first: a history is some hundred KB. */
const mostScrolling = bufferSize - 128 * 1024
/** Who asks has it computed at once; else a flood goes on for so long, as most of it will have scrolled away by then: ms */
const floodMs = 200
/** One piece for the emulator. */
const pieceSize = 8 * 1024

export function ptyOutput(pty: IPty, emulator: Emulator, budget: FeedBudget): PtyOutput {
  const listeners = new Set<(piece: Buffer) => void>()
  const whenDrained = new Set<() => void>()
  let [filling, spare] = [Buffer.alloc(bufferSize), Buffer.alloc(bufferSize)]
  let [count, queued, outputAt] = [0, 0, Date.now()]
  let [isFeeding, isPaused] = [false, false]
  /** What waits begins outside any sequence, at a terminal that scrolls as a whole. */
  let isScrolling = false
  /** The last that was computed was the end of a flood. */
  let isFlood = false
  let later: NodeJS.Timeout | undefined

  pty.onData(data => {
    const piece = data as unknown as Buffer
    count += piece.length
    outputAt = Date.now()
    if (queued + piece.length > filling.length)
      filling = Buffer.concat([filling.subarray(0, queued)], queued + piece.length)
    piece.copy(filling, queued)
    queued += piece.length
    if (isScrolling && queued > mostScrolling) passOver()
    if (!isPaused && queued > (isScrolling ? mostScrolling : mostQueued)) {
      isPaused = true
      pty.pause()
    }
    for (const onOutput of [...listeners]) onOutput(piece)
    if (!isFeeding) feedInTime(piece)
  })

  /** @param fresh what of it has not been looked at */
  function feedInTime(fresh: Buffer): void {
    const mayWait = isFlood && isScrolling && !isPaused && queued > 0 && whenDrained.size === 0
    if (mayWait && scrolledPast(fresh, Infinity).isPlain) later ??= setTimeout(feed, floodMs)
    else feed()
  }

  /** Takes all that waits; what comes meanwhile fills the other buffer. */
  function feed(): void {
    clearTimeout(later)
    later = undefined
    isFeeding = queued > 0
    if (!isFeeding) {
      for (const drained of whenDrained) drained()
      whenDrained.clear()
      return
    }
    const { isPlain, lineFeeds } = passOver()
    const [whole, length] = [filling, queued]
    ;[filling, spare, queued] = [spare, whole, 0]
    if (isPaused) {
      isPaused = false
      attempt(() => pty.resume())
    }
    const before = emulator.lineFeeds()
    isFlood = length > mostQueued
    // Lines change nothing of how the next ones scroll.
    isScrolling &&= isPlain
    write(whole.subarray(0, length), () => {
      // Within a sequence it would not have taken each of them for one.
      isScrolling =
        isPlain && lineFeeds > 0 && emulator.lineFeeds() - before === lineFeeds && emulator.isScrolling()
      isFeeding = false
      feedInTime(filling.subarray(0, queued))
    })
  }

  /** Passes over what waits and would have scrolled away; says what the rest is. */
  function passOver(): Pick<ScrolledPast, 'isPlain' | 'lineFeeds'> {
    const past = scrolledPast(filling.subarray(0, queued), isScrolling ? emulator.reach() : Infinity)
    const { from, attributes, isPlain, lineFeeds } = past
    if (from > 0) {
      filling.copyWithin(attributes.length, from, queued)
      attributes.copy(filling)
      queued += attributes.length - from
    }
    return { isPlain, lineFeeds }
  }

  function write(left: Buffer, whenWritten: () => void): void {
    const now = left.subarray(0, pieceSize)
    budget.take(now.length, async () => {
      await emulator.write(now)
      if (now.length < left.length) write(left.subarray(now.length), whenWritten)
      else whenWritten()
    })
  }

  return {
    count: () => count,
    outputAt: () => outputAt,
    listen(onOutput) {
      listeners.add(onOutput)
      return () => void listeners.delete(onOutput)
    },
    isShown(ms) {
      if (later) feed()
      if (!isFeeding) return Promise.resolve(true)
      return new Promise(resolve => {
        const timer = setTimeout(() => {
          whenDrained.delete(drained)
          resolve(false)
        }, ms)
        const drained = () => {
          clearTimeout(timer)
          resolve(true)
        }
        whenDrained.add(drained)
      })
    },
  }
}
