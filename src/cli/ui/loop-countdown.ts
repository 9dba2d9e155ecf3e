/** The wait of a loop: one line that is rewritten each second in a terminal, a line a minute elsewhere. */

import { formatDuration } from '../../core/text/duration.ts'
import type { Printable } from '../../core.ts'
import type { DelayWhy } from '../../loop/loop-events.ts'
import { lines, own } from './print.ts'

const reasons: Readonly<Record<DelayWhy, string>> = {
  delay: '',
  idle: 'nothing to do, ',
  until: 'until the time that the agent named, ',
  limit: 'the provider’s limit, ',
  at_once: 'the agent ends at once, ',
}

const clearLine = '\r\u001b[K'

export function createCountdown(write: (text: Printable) => boolean, width?: () => number) {
  let timer: NodeJS.Timeout | undefined
  let isDrawn = false

  /** Makes room for other lines; the next tick draws it again. */
  function clear(): void {
    if (isDrawn) write(own(clearLine))
    isDrawn = false
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    clear()
  }

  return {
    start(why: DelayWhy, delay: number): void {
      stop()
      const end = performance.now() + delay
      const draw = (): void => {
        const left = Math.max(0, end - performance.now())
        const text = `${reasons[why]}next run in ${inSeconds(left)} (Ctrl+C: run now, twice: stop)`
        // A terminal that knows no size says 0.
        const cells = width?.() || Infinity
        if (width) write(own(`${clearLine}${text.slice(0, Math.max(1, cells - 1))}`))
        else write(lines(text))
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
