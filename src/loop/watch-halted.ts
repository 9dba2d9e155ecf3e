/** Tells a run's track where somebody keeps the agent from going on: stopped, frozen, a terminal that takes no output. */
import type { Clock, Timer } from '../core/clock.ts'
import type { Signal } from '../core/evidence/signal.ts'
import { readReport, writeReport } from '../process/health-report.ts'
import { lookHalted } from '../process/linux/look-halted.ts'
import { type Halted, stepHalted } from '../sessions/agents/halted-step.ts'

/** As agents that lull did not start are looked at (sessions/agents). */
const everyMs = 1600

/** @returns stops it */
export function watchHalted(
  who: { readonly name: string; readonly pid: number },
  clock: Clock,
  file: (signals: readonly Signal[]) => void,
): () => void {
  let halted: Halted | undefined
  let timer: Timer
  function look(): void {
    timer = clock.at(clock.now() + everyMs, look)
    const now = clock.now()
    const seen = lookHalted(who.pid)
    if (!seen) return
    const step = stepHalted(halted, seen, who, now)
    halted = step.halted
    const signals = step.report && readReport(writeReport(step.report), now, false)
    if (Array.isArray(signals)) file(signals)
  }
  look()
  return () => timer.cancel()
}
