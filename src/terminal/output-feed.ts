/**
 * What a terminal prints, as it comes: marks for who observes it, text for who listens, and a wake for who waits. Nothing is
 * heard before the first `start` and after a `lose`; then screens alone tell that something was printed.
 */
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as pause } from 'node:timers/promises'
import type { StreamMarks } from './probe/probed.ts'
import { newStream, readStream, type Stream } from './stream-step.ts'

export type OutputFeed = {
  /** Everything is heard from now on; what was printed before is not known. */
  start(): void
  lose(): void
  take(bytes: Buffer): void
  /** Undefined where nothing is heard. */
  marks(): StreamMarks | undefined
  /** Bytes so far. */
  count(): number
  /** @returns the way to stop */
  listen(onText: (text: string) => void): () => void
  /** Resolves at the next output, at a loss, or after `ms`. */
  woken(ms: number): Promise<void>
}

/** ms: where nothing is heard, a wait that is shorter would be a busy loop. */
const deafMs = 5

export function outputFeed(): OutputFeed {
  const listeners = new Set<(text: string) => void>()
  const wakers = new Set<() => void>()
  let decoder = new StringDecoder('utf8')
  let stream: Stream | undefined
  let count = 0

  const wake = (): void => {
    for (const waker of [...wakers]) waker()
  }

  return {
    start() {
      decoder = new StringDecoder('utf8')
      stream = newStream(performance.now())
    },
    lose() {
      stream = undefined
      wake()
    },
    take(bytes) {
      if (!stream) return
      count += bytes.length
      const text = decoder.write(bytes)
      stream = readStream(stream, text, performance.now())
      for (const onText of listeners) onText(text)
      wake()
    },
    marks: () => stream?.marks,
    count: () => count,
    listen(onText) {
      listeners.add(onText)
      return () => void listeners.delete(onText)
    },
    async woken(ms) {
      if (!stream) return void (await pause(Math.max(ms, deafMs)))
      await new Promise<void>(resolve => {
        const waker = () => {
          clearTimeout(timer)
          wakers.delete(waker)
          resolve()
        }
        const timer = setTimeout(waker, Math.max(0, ms))
        wakers.add(waker)
      })
    },
  }
}
