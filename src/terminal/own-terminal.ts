/**
 * A pseudo terminal that lull opened itself: its program is observed after each output and now and then while it is quiet.
 * No screen is rendered: the last printed line replaces it.
 */
import type { Clock, Timer } from '../core/clock.ts'
import { readStat } from '../os/proc/stat.ts'
import { ptsOf } from '../os/tty/tty.ts'
import { tailScreen } from './classify/screen-text.ts'
import type { TerminalVerdict } from './classify/terminal-verdict.ts'
import { createObserver, type Observer } from './observer.ts'
import { isConclusive } from './observer-step.ts'
import { type OutputFeed, outputFeed } from './output-feed.ts'
import type { TerminalHolder } from './terminal-holder.ts'

export type OwnTerminal = {
  /** To be called with all that the terminal prints. */
  take(piece: Buffer): void
  close(): void
}

/** Output that goes on is judged at most so often, ms. */
const soonMs = 50
/** What changes without output, like a silent read: seen so late at most, ms. */
const quietEveryMs = 1000
const tailLength = 4096

/** @param tail the end of what was printed */
const ownHolder = (tty: string, pid: number, output: OutputFeed, tail: () => string): TerminalHolder => ({
  tty,
  pid,
  output,
  async capture() {
    const screen = { ...tailScreen(tail()), alternate: output.marks()?.alternate?.on ?? false }
    return { type: 'shown', screen, isRendered: false, lines: screen.rows, isWhole: false }
  },
  // Who started the program learns from the kernel how it ended.
  ended: async () => ({ type: 'ended', end: {} }),
})

/**
 * @param pid the terminal's first process, from node-pty
 * @param onVerdict called with each verdict that differs from the one before
 */
export function followOwnTerminal(
  pid: number,
  clock: Clock,
  onVerdict: (verdict: TerminalVerdict) => void,
): OwnTerminal {
  const output = outputFeed()
  output.start()
  let tail = ''
  output.listen(text => {
    tail = (tail + text.slice(-tailLength)).slice(-tailLength)
  })
  let observer: Observer | undefined
  let last = ''
  let [isObserving, isClosed] = [false, false]
  let due = clock.now() + soonMs
  let timer: Timer = clock.at(due, observeNow)

  function observeNow(): void {
    due = Infinity
    isObserving = true
    void observe().then(again => {
      isObserving = false
      const at = Math.min(due, clock.now() + again)
      due = Infinity
      plan(at)
    })
  }

  /** @returns ms until it is worth while to observe again */
  async function observe(): Promise<number> {
    const stat = readStat(pid)
    const tty = stat && ptsOf(stat.tty)
    if (tty === undefined) return quietEveryMs
    observer ??= createObserver(ownHolder(tty, pid, output, () => tail))
    const observation = await observer.observe()
    const { verdict } = observation
    if (!isConclusive(observation)) return Math.max(soonMs, verdict.observeAgainIn ?? soonMs)
    const { state, health, tier, why } = verdict
    const now = JSON.stringify([state, health, tier, why])
    if (now !== last && !isClosed) onVerdict(verdict)
    last = now
    return quietEveryMs
  }

  function plan(at: number): void {
    if (isClosed || at >= due) return
    due = at
    timer.cancel()
    if (!isObserving) timer = clock.at(due, observeNow)
  }

  return {
    take(piece) {
      output.take(piece)
      plan(clock.now() + soonMs)
    },
    close() {
      isClosed = true
      timer.cancel()
    },
  }
}
