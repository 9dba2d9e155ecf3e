/** Readers of a stream of changes, each at a pace of its own. */
import { type AsyncQueue, createAsyncQueue } from '../core/async-queue.ts'
import type { TraceEvent } from '../core/trace/trace.ts'

export type Subscribers<T> = {
  emit(value: T): void
  /** Registered at once, not at the first read: what changes in between is not lost. `first` is read before all else. */
  subscribe(...first: readonly T[]): AsyncIterableIterator<T>
  /** Ends every reader's stream. */
  close(): void
  readonly size: number
}

/** So many values wait for a reader that does not keep up. */
const longestQueue = 1000

/** Of values that each say all: what the reader missed does not matter any more. */
export const newest = <T>(waiting: readonly T[]): readonly T[] =>
  waiting.slice(Math.floor(waiting.length / 2))

/** A recording is whole up to its newest events, or says in the place of the others that they are missing. */
export function withGap(waiting: readonly TraceEvent[]): readonly TraceEvent[] {
  const kept = waiting.slice(Math.floor(waiting.length / 2))
  const { line = 0, at = 0 } = kept[0] ?? {}
  const data = 'lull: events are missing here: they came faster than they were read'
  return [{ line, at, code: 'm', data }, ...kept]
}

/** @param thin what a reader that does not keep up gets instead of all that waits: it must lose nothing that holds still */
export function createSubscribers<T>(thin: (waiting: readonly T[]) => readonly T[]): Subscribers<T> {
  const readers = new Set<AsyncQueue<T>>()
  let isClosed = false
  return {
    subscribe(...first) {
      const queue = createAsyncQueue<T>(longestQueue, () => readers.delete(queue), thin)
      for (const value of first) queue.push(value)
      if (isClosed) queue.end()
      else readers.add(queue)
      return queue.values
    },
    emit(value) {
      for (const reader of readers) reader.push(value)
    },
    close() {
      isClosed = true
      for (const reader of readers) reader.end()
      readers.clear()
    },
    get size() {
      return readers.size
    },
  }
}
