/** Values on their way to one reader, who takes them at a pace of its own. Pure. */

export type AsyncQueue<T> = {
  /** Nothing happens after the end. */
  push(value: T): void
  /** What is in it is still read. */
  end(): void
  /** So many wait to be read. */
  readonly size: number
  /** For one reader. A reader that leaves (`break`) ends the queue, and what waits is dropped. */
  readonly values: AsyncIterableIterator<T>
}

/**
 * @param most so many wait
 * @param onLeave called when the reader leaves before the end
 * @param thin what waits instead of so many values; where not given, the oldest is dropped
 */
export function createAsyncQueue<T>(
  most = Infinity,
  onLeave?: () => void,
  thin?: (waiting: readonly T[]) => readonly T[],
): AsyncQueue<T> {
  let queue: T[] = []
  let waiting: (() => void)[] = []
  let isOver = false
  const wake = (): void => {
    for (const resolve of waiting) resolve()
    waiting = []
  }
  return {
    push(value) {
      if (isOver) return
      queue.push(value)
      if (queue.length > most) {
        if (thin) queue = [...thin(queue)]
        else queue.shift()
      }
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    get size() {
      return queue.length
    },
    values: {
      async next() {
        while (queue.length === 0 && !isOver) await new Promise<void>(resolve => waiting.push(resolve))
        const value = queue.shift()
        return value === undefined ? { value, done: true } : { value, done: false }
      },
      async return() {
        if (!isOver) onLeave?.()
        isOver = true
        queue.length = 0
        wake()
        return { value: undefined, done: true }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    },
  }
}

/** Each value changed on its way. A reader that leaves while it waits leaves at once: a generator would wait for the next value first. */
export const mapped = <A, B>(
  values: AsyncIterableIterator<A>,
  change: (value: A) => B,
): AsyncIterableIterator<B> => ({
  async next() {
    const next = await values.next()
    return next.done === true ? { value: undefined, done: true } : { value: change(next.value), done: false }
  },
  async return() {
    await values.return?.()
    return { value: undefined, done: true }
  },
  [Symbol.asyncIterator]() {
    return this
  },
})
