/** Waits until what was typed has been read, or shows. */
import { innermost } from '../terminal/classify/classify.ts'
import { hasConsumed, isReading, type Typed } from '../terminal/consumption.ts'
import type { DrivenTerminal } from '../terminal/observer.ts'
import type { Probe } from '../terminal/probe/probed.ts'

export const isRaw = (probe: Probe): boolean => innermost(probe).termios?.canonical === false

/** Resolves once it has been read, and the reader waits for more; false where that takes longer than `patience` ms, or is waited for no more. */
export async function isRead(
  pane: DrivenTerminal,
  typed: Typed,
  patience: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + patience
  for (let delay = 1; ; delay = Math.min(delay * 2, 20)) {
    const now = pane.probe()
    if (hasConsumed(typed, now) && (typed.isEntered || isReading(now))) return true
    if (performance.now() >= end || signal?.aborted) return hasConsumed(typed, now)
    await pane.holder.output.woken(delay)
  }
}

/** A terminal echoes at once, but what it prints takes a while to come. ms */
export const echoMs = 100
/** A line editor shows what it reads, on another machine too: what does not come by then is kept back there (Ctrl-S). ms */
export const lostEchoMs = 2000

export const isEchoing = (probe: Probe): boolean => (probe.inner ?? probe).termios?.echo === true

export async function echoed(pane: DrivenTerminal, { at }: Typed, patience: number): Promise<boolean> {
  const { output } = pane.holder
  // Who hears nothing any more can't tell.
  const isShown = () => (output.marks()?.lastOutput ?? Infinity) > at
  while (!isShown() && performance.now() < at + patience) await output.woken(patience)
  return isShown()
}
