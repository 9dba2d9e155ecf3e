/** Events on their way to one reader. A reader that does not keep up loses lines of output, and nothing else. */
import type { Happening, LoopEvent } from './loop-events.ts'

/** So many events wait at the most before lines of output are left out. */
const longestQueue = 10_000

export type Channel = {
  put(event: Happening): void
  end(): void
  readonly events: AsyncIterableIterator<LoopEvent>
}

/**
 * @param wall ms since the epoch
 * @param left called when the reader leaves before the end
 */
export function createChannel(wall: () => number, left: () => void): Channel {
  const queue: LoopEvent[] = []
  let waiting: (() => void)[] = []
  let isOver = false
  let missing = 0

  const wake = (): void => {
    for (const resolve of waiting) resolve()
    waiting = []
  }
  const push = (event: Happening): void => {
    queue.push({ ...event, time: wall() })
    wake()
  }
  const tellMissing = (): void => {
    if (missing === 0) return
    const message = `${missing} lines of output came too fast and are not shown; a log (-l) has them`
    missing = 0
    push({ type: 'LOG_MESSAGE', level: 'warning', message })
  }
  const isOutput = ({ type }: Happening): boolean => type === 'AGENT_OUTPUT_LINE' || type === 'AGENT_ACTIVITY'

  return {
    put(event) {
      if (isOver) return
      if (!isOutput(event)) tellMissing()
      if (isOutput(event) && queue.length >= longestQueue) missing++
      else push(event)
    },
    end() {
      tellMissing()
      isOver = true
      wake()
    },
    events: {
      async next() {
        while (queue.length === 0 && !isOver) await new Promise<void>(resolve => waiting.push(resolve))
        const value = queue.shift()
        return value ? { value, done: false } : { value: undefined, done: true }
      },
      async return() {
        if (!isOver) left()
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
