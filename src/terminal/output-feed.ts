/**
 * The output of a terminal as it arrives: marks for observers, text for listeners, and a wake for waiters. No output is
 * received before the first `start` and after a `lose`; then only screens show that something was printed.
 */
import { StringDecoder } from 'node:string_decoder'
import type { StreamMarks } from './probe/probed.ts'
import { newStream, readStream, type Stream, withEntered } from './stream-step.ts'

export type OutputFeed = {
  /** All output is received from now on; earlier output is not known. */
  start(): void
  lose(): void
  /** New output; ignored before `start` and after `lose`. */
  take(bytes: Buffer): void
  /** To be called right before a line or a key is entered. */
  entered(): void
  /** Text that is on the screen now, and that no stream brought: for who listens, without marks. */
  emit(text: string): void
  /** Undefined where no output is received. */
  marks(): StreamMarks | undefined
  /** Bytes so far. */
  count(): number
  /** @returns the way to stop */
  listen(onText: (text: string) => void): () => void
  hasListeners(): boolean
  /** Resolves at the next output, at a loss, or after `ms`. */
  woken(ms: number): Promise<void>
}

export function outputFeed(): OutputFeed {
  const listeners = new Set<(text: string) => void>()
  const wakers = new Set<() => void>()
  let decoder = new StringDecoder('utf8')
  let stream: Stream | undefined
  let count = 0

  const wake = (): void => {
    for (const waker of [...wakers]) waker()
  }
  const emit = (text: string): void => {
    for (const onText of [...listeners]) onText(text)
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
      emit(text)
      wake()
    },
    entered() {
      stream &&= withEntered(stream, performance.now())
    },
    emit,
    marks: () => stream?.marks,
    count: () => count,
    listen(onText) {
      listeners.add(onText)
      return () => void listeners.delete(onText)
    },
    hasListeners: () => listeners.size > 0,
    woken(ms) {
      return new Promise(resolve => {
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
