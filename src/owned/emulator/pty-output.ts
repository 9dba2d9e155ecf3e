/**
 * What a program prints on its pseudo terminal: to who listens at once, to the emulator as fast as that computes it. Where
 * too much waits, the program does: nothing is lost.
 */
import type { IPty } from '@lydell/node-pty'
import { attempt } from '../../os/attempt.ts'
import type { Emulator } from './emulator.ts'
import type { FeedBudget } from './feed-budget.ts'

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
const bufferSize = 64 * 1024
/** More than this waits: the program waits, too. */
const mostQueued = 32 * 1024
/** One piece for the emulator. */
const pieceSize = 8 * 1024

export function ptyOutput(pty: IPty, emulator: Emulator, budget: FeedBudget): PtyOutput {
  const listeners = new Set<(piece: Buffer) => void>()
  const whenDrained = new Set<() => void>()
  let [filling, spare] = [Buffer.alloc(bufferSize), Buffer.alloc(bufferSize)]
  let [count, queued, outputAt] = [0, 0, Date.now()]
  let [isFeeding, isPaused] = [false, false]

  pty.onData(data => {
    const piece = data as unknown as Buffer
    count += piece.length
    outputAt = Date.now()
    if (queued + piece.length > filling.length)
      filling = Buffer.concat([filling.subarray(0, queued)], queued + piece.length)
    piece.copy(filling, queued)
    queued += piece.length
    if (!isPaused && queued > mostQueued) {
      isPaused = true
      pty.pause()
    }
    for (const onOutput of [...listeners]) onOutput(piece)
    if (!isFeeding) feed()
  })

  /** Takes all that waits; what comes meanwhile fills the other buffer. */
  function feed(): void {
    isFeeding = queued > 0
    if (!isFeeding) {
      for (const drained of whenDrained) drained()
      whenDrained.clear()
      return
    }
    const [whole, length] = [filling, queued]
    ;[filling, spare, queued] = [spare, whole, 0]
    if (isPaused) {
      isPaused = false
      attempt(() => pty.resume())
    }
    write(whole.subarray(0, length))
  }

  function write(left: Buffer): void {
    const now = left.subarray(0, pieceSize)
    budget.take(now.length, async () => {
      await emulator.write(now)
      if (now.length < left.length) write(left.subarray(now.length))
      else feed()
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
