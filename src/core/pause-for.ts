import type { Clock } from './clock.ts'

/** Resolves after so long by that clock (ms), or as soon as the signal aborts. */
export function pauseFor(clock: Clock, ms: number, ends: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (ends.aborted) return resolve()
    const end = (): void => {
      timer.cancel()
      ends.removeEventListener('abort', end)
      resolve()
    }
    const timer = clock.at(clock.now() + ms, end)
    ends.addEventListener('abort', end)
  })
}
