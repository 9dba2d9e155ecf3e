/** Publishes a run for `lull ps`, `watch` and `wait`: a session of its own, with the health that its supervisor reports. */
import { startedSession } from '../core/advance.ts'
import type { Clock } from '../core/clock.ts'
import { defined } from '../core/defined.ts'
import type { Instant } from '../core/state.ts'
import type { ProcessEnd } from '../os/spawn/process-group.ts'
import { readReport, reportEveryMs, writeReport } from '../process/health-report.ts'
import { publishRun } from '../sessions/runs/published-runs.ts'
import type { TerminalVerdict } from '../terminal/classify/terminal-verdict.ts'
import { terminalSignals } from '../terminal/terminal-signals.ts'
import { createTrack } from '../track/track.ts'
import type { RunVerdict } from './step/run-verdict.ts'
import { reportOf } from './step/run-verdict.ts'

export type RunPublisher = ReturnType<typeof publishSupervisedRun>

const id = 'run'

export function publishSupervisedRun(
  folder: string,
  run: {
    readonly pid: number
    readonly begun: Instant
    readonly cwd: string
    readonly words: readonly string[]
  },
  clock: Clock,
) {
  const { pid, begun, cwd, words } = run
  const track = createTrack(clock)
  track.begin(id, startedSession(begun))
  const published = publishRun(folder, { pid, cwd, note: `run ${words.join(' ').slice(0, 200)}`, id, track })
  let lastReport = -Infinity
  let hasTerminal = false
  return {
    sample(verdict: RunVerdict, isNews: boolean): void {
      if (!isNews && verdict.at - lastReport < reportEveryMs) return
      lastReport = verdict.at
      // Its state comes from its terminal, where it has one: that shows the question.
      const signals = readReport(writeReport(reportOf(verdict, pid)), verdict.at, !hasTerminal)
      if (typeof signals !== 'string') track.file(id, signals)
    },
    /** What its terminal does, where it has one of its own. */
    terminal(verdict: TerminalVerdict): void {
      const now = clock.now()
      hasTerminal = verdict.state.kind !== 'unknown'
      const { state, prompt } = verdict
      const facts = state.kind === 'waiting' && prompt !== undefined ? { question: prompt } : {}
      track.file(id, [...terminalSignals(verdict, now, now), { type: 'facts', facts, at: now }])
    },
    /** No longer; the file of it is gone then. */
    async close({ code, signal }: ProcessEnd): Promise<void> {
      const now = clock.now()
      track.file(id, [
        { type: 'exit', source: 'process', what: 'its end', at: now, ...defined({ code, signal }) },
      ])
      track.close()
      await published
    },
  }
}
