/** Readers of a stream of changes, each at a pace of its own. */
import { type AsyncQueue, createAsyncQueue } from '../core/async-queue.ts'

export type Subscribers<T> = {
  emit(value: T): void
  /** Registered at once, not at the first read: what changes in between is not lost. `first` is read before all else. */
  subscribe(...first: readonly T[]): AsyncIterableIterator<T>
  /** Ends every reader's stream. */
  close(): void
  readonly size: number
}

/** A subscriber that does not keep up gets the newest changes only. */
const longestQueue = 1000

export function createSubscribers<T>(): Subscribers<T> {
  const readers = new Set<AsyncQueue<T>>()
  let isClosed = false
  return {
    subscribe(...first) {
      const queue = createAsyncQueue<T>(longestQueue, () => readers.delete(queue))
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
