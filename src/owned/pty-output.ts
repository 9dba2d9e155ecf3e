/**
 * What a program prints on its pseudo terminal: to who listens at once, to the emulator as fast as that computes it. Where
 * too much waits, the program does: nothing is lost.
 */
import type { IPty } from '@lydell/node-pty'
import { attempt } from '../os/attempt.ts'
import type { Emulator } from './emulator.ts'
import type { FeedBudget } from './feed-budget.ts'

export type PtyOutput = {
  /** Bytes that it has printed. */
  count(): number
  /** ms since the epoch */
  outputAt(): number
  /** @returns the way to stop */
  listen(onOutput: (piece: Buffer) => void): () => void
  /** All that was printed so far is on the screen. */
  drained(): Promise<void>
}

/** More than this waits to be computed: the program waits, too. */
const mostQueued = 256 * 1024
const enoughQueued = 64 * 1024
/** One piece for the emulator. */
const pieceSize = 16 * 1024

export function ptyOutput(pty: IPty, emulator: Emulator, budget: FeedBudget): PtyOutput {
  const listeners = new Set<(piece: Buffer) => void>()
  const queue: Buffer[] = []
  const whenDrained: (() => void)[] = []
  let [count, queued, outputAt] = [0, 0, Date.now()]
  let [isFeeding, isPaused] = [false, false]

  pty.onData(data => {
    const piece = data as unknown as Buffer
    count += piece.length
    outputAt = Date.now()
    queue.push(piece)
    queued += piece.length
    if (!isPaused && queued > mostQueued) {
      isPaused = true
      pty.pause()
    }
    for (const onOutput of [...listeners]) onOutput(piece)
    if (!isFeeding) feed()
  })

  function feed(): void {
    const piece = queue[0]
    isFeeding = piece !== undefined
    if (!piece) {
      for (const drained of whenDrained.splice(0)) drained()
      return
    }
    const now = piece.subarray(0, pieceSize)
    budget.take(now.length, async () => {
      await emulator.write(now)
      if (now.length === piece.length) queue.shift()
      else queue[0] = piece.subarray(now.length)
      queued -= now.length
      if (isPaused && queued < enoughQueued) {
        isPaused = false
        attempt(() => pty.resume())
      }
      feed()
    })
  }

  return {
    count: () => count,
    outputAt: () => outputAt,
    listen(onOutput) {
      listeners.add(onOutput)
      return () => void listeners.delete(onOutput)
    },
    drained: () => (isFeeding ? new Promise(resolve => void whenDrained.push(resolve)) : Promise.resolve()),
  }
}
