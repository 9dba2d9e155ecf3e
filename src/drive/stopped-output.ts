/** A terminal with stopped output (Ctrl-S): typed text does not show, and stays on the line. */
import { innermost } from '../terminal/classify/classify.ts'
import type { DrivenTerminal } from '../terminal/observer.ts'
import { refusedToType } from './refusal.ts'

/** A terminal that is full takes output again sooner than that: ms. */
const stoppedMs = 1000
const againMs = 20

/** At once where it takes output. @throws {LullError} REFUSED_TO_TYPE where it goes on to take none */
export async function checkOutput({ probe, holder }: DrivenTerminal): Promise<void> {
  const end = performance.now() + stoppedMs
  while (innermost(probe()).isOutputStopped) {
    if (performance.now() >= end)
      throw refusedToType('stuck', "the terminal's output is stopped (Ctrl-S): lull keys … C-q lets it go on")
    await holder.output.woken(againMs)
  }
}
