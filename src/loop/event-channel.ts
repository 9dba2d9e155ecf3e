/** Events on their way to one reader. A reader that does not keep up loses lines of output, and nothing else. */
import { createAsyncQueue } from '../core/async-queue.ts'
import type { Happening, LoopEvent } from './loop-events.ts'

/** So many events wait at the most before lines of output are left out. */
const longestQueue = 10_000

/**
 * @param wall ms since the epoch
 * @param left called when the reader leaves before the end
 */
export function createChannel(wall: () => number, left: () => void) {
  const queue = createAsyncQueue<LoopEvent>(Infinity, left)
  let missing = 0

  const push = (event: Happening): void => queue.push({ ...event, time: wall() })
  const pushMissing = (): void => {
    if (missing === 0) return
    const message = `${missing} lines of output came too fast and are not shown; a log (-l) has them`
    missing = 0
    push({ type: 'LOG_MESSAGE', level: 'warning', message })
  }
  const isOutput = ({ type }: Happening): boolean => type === 'AGENT_OUTPUT_LINE' || type === 'AGENT_ACTIVITY'

  return {
    put(event: Happening): void {
      if (!isOutput(event)) pushMissing()
      if (isOutput(event) && queue.size >= longestQueue) missing++
      else push(event)
    },
    end(): void {
      pushMissing()
      queue.end()
    },
    events: queue.values,
  }
}
