/** Readers of a stream of changes, each at a pace of its own. */

export type Subscribers<T> = {
  tell(value: T): void
  /** Registered at once, not at the first read: what changes in between is not lost. `first` is read before all else. */
  subscribe(...first: readonly T[]): AsyncIterableIterator<T>
  /** Ends every reader's stream. */
  close(): void
  readonly size: number
}

/** A subscriber that does not keep up is told the newest changes only. */
const longestQueue = 1000

export function createSubscribers<T>(): Subscribers<T> {
  const readers = new Set<(value: T | undefined) => void>()
  let isClosed = false

  function subscribe(...first: readonly T[]): AsyncIterableIterator<T> {
    const queue: T[] = [...first]
    let waiting: (() => void)[] = []
    let isOver = isClosed
    const wake = () => {
      for (const resolve of waiting) resolve()
      waiting = []
    }
    const tell = (value: T | undefined) => {
      if (value === undefined) isOver = true
      else queue.push(value)
      if (queue.length > longestQueue) queue.shift()
      wake()
    }
    if (!isClosed) readers.add(tell)
    return {
      async next() {
        while (queue.length === 0 && !isOver) await new Promise<void>(resolve => waiting.push(resolve))
        const value = queue.shift()
        return value === undefined ? { value: undefined, done: true } : { value, done: false }
      },
      async return() {
        readers.delete(tell)
        queue.length = 0
        isOver = true
        wake()
        return { value: undefined, done: true }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  return {
    subscribe,
    tell(value) {
      for (const reader of readers) reader(value)
    },
    close() {
      isClosed = true
      for (const reader of readers) reader(undefined)
      readers.clear()
    },
    get size() {
      return readers.size
    },
  }
}
