/** The wait of a loop: one line that is rewritten each second in a terminal, a line a minute elsewhere. */

import { formatDuration } from '../../core.ts'
import type { DelayWhy } from '../../loop/loop-events.ts'

export type Countdown = {
  start(why: DelayWhy, delay: number): void
  /** Makes room for other lines; the next tick draws it again. */
  clear(): void
  stop(): void
}

const reasons: Readonly<Record<DelayWhy, string>> = {
  delay: '',
  idle: 'nothing to do, ',
  until: 'the agent said when, ',
  limit: 'the provider’s limit, ',
  at_once: 'the agent ends at once, ',
}

export function createCountdown(write: (text: string) => boolean, width?: () => number): Countdown {
  let timer: NodeJS.Timeout | undefined
  let isDrawn = false

  function clear(): void {
    if (isDrawn) write('\r\u001b[K')
    isDrawn = false
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    clear()
  }

  return {
    start(why, delay) {
      stop()
      const end = performance.now() + delay
      const draw = (): void => {
        const left = Math.max(0, end - performance.now())
        const text = `${reasons[why]}next run in ${inSeconds(left)} (Ctrl+C: run now, twice: stop)`
        if (width) write(`\r\u001b[K${text.slice(0, Math.max(1, width() - 1))}`)
        else write(`${text}\n`)
        isDrawn = width !== undefined
      }
      draw()
      timer = setInterval(draw, width ? 1000 : 60_000)
    },
    clear,
    stop,
  }
}

/** No tenths: they would run past. */
const inSeconds = (ms: number): string =>
  ms < 9500 ? `${Math.ceil(ms / 1000)} s` : formatDuration(Math.ceil(ms / 1000) * 1000)
