/**
 * What a program prints on its pseudo terminal: to who listens at once, to the emulator as fast as that computes it. Lines
 * of a flood that have scrolled away for good before their turn are not computed. Where too much waits all the same, the
 * program does: nothing is lost.
 */
import type { IPty } from '@lydell/node-pty'
import { attempt } from '../../os/attempt.ts'
import type { Emulator } from './emulator.ts'
import type { FeedBudget } from './feed-budget.ts'
import { mostScrolling, mostWaiting, waitingOutput } from './waiting-output.ts'

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

/** Who asks has it computed at once; else a flood goes on for so long, as most of it will have scrolled away by then: ms */
const floodMs = 1000
/** One piece for the emulator. */
const pieceSize = 32 * 1024

export function ptyOutput(pty: IPty, emulator: Emulator, budget: FeedBudget): PtyOutput {
  const listeners = new Set<(piece: Buffer) => void>()
  const whenDrained = new Set<() => void>()
  const waiting = waitingOutput()
  let [count, outputAt] = [0, Date.now()]
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
    waiting.add(piece)
    if (isScrolling && waiting.size() > mostScrolling) waiting.passOver(emulator.reach())
    if (!isPaused && waiting.size() > (isScrolling ? mostScrolling : mostWaiting)) {
      isPaused = true
      pty.pause()
    }
    for (const onOutput of [...listeners]) onOutput(piece)
    if (!isFeeding) feedInTime()
  })

  function feedInTime(): void {
    const mayWait = isFlood && isScrolling && !isPaused && waiting.size() > 0 && whenDrained.size === 0
    if (mayWait && waiting.isLines()) later ??= setTimeout(feed, floodMs)
    else feed()
  }

  /** Takes all that waits; what comes meanwhile fills the other buffer. */
  function feed(): void {
    clearTimeout(later)
    later = undefined
    isFeeding = waiting.size() > 0
    if (!isFeeding) {
      for (const drained of whenDrained) drained()
      whenDrained.clear()
      return
    }
    if (isScrolling) waiting.passOver(emulator.reach())
    const [isLines, lineFeeds] = [waiting.isLines(), waiting.lineFeeds()]
    const whole = waiting.take()
    if (isPaused) {
      isPaused = false
      attempt(() => pty.resume())
    }
    const before = emulator.lineFeeds()
    isFlood = whole.length > mostWaiting
    // Lines change nothing of how the next ones scroll.
    isScrolling &&= isLines
    feedPieces(whole, emulator, budget, () => {
      // Within a sequence it would not have taken each of them for one.
      const areLines = isLines && lineFeeds > 0 && emulator.lineFeeds() - before === lineFeeds
      isScrolling = areLines && emulator.isScrolling()
      isFeeding = false
      feedInTime()
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
      return within(ms, whenDrained)
    },
  }
}

function feedPieces(left: Buffer, emulator: Emulator, budget: FeedBudget, whenFed: () => void): void {
  const now = left.subarray(0, pieceSize)
  budget.take(now.length, async () => {
    await emulator.write(now)
    if (now.length < left.length) feedPieces(left.subarray(now.length), emulator, budget, whenFed)
    else whenFed()
  })
}

/** Whether it comes within `ms`. */
function within(ms: number, callbacks: Set<() => void>): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => {
      callbacks.delete(onTime)
      resolve(false)
    }, ms)
    const onTime = () => {
      clearTimeout(timer)
      resolve(true)
    }
    callbacks.add(onTime)
  })
}
