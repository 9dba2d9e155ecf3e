/** Publishes a run for `lull ps`, `watch` and `wait`: a session of its own, whose health its supervisor reports. */
import { startedSession } from '../core/advance.ts'
import type { Clock } from '../core/clock.ts'
import { readReport, reportEveryMs, writeReport } from '../process/health-report.ts'
import { publishRun } from '../sessions/runs/published-runs.ts'
import type { TerminalVerdict } from '../terminal/classify/terminal-verdict.ts'
import { terminalSignals } from '../terminal/terminal-signals.ts'
import { createTrack } from '../track/track.ts'
import { reportOf } from './run-report.ts'
import type { RunVerdict } from './step/run-verdict.ts'

export type RunPublisher = {
  sample(verdict: RunVerdict, isNews: boolean): void
  /** What its terminal does, where it has one of its own. */
  terminal(verdict: TerminalVerdict): void
  /** No longer; the file of it is gone then. */
  close(): Promise<void>
}

const id = 'run'

export function publishSupervisedRun(
  folder: string,
  run: { readonly pid: number; readonly cwd: string; readonly words: readonly string[] },
  clock: Clock,
): RunPublisher {
  const { pid, cwd, words } = run
  const track = createTrack(clock)
  track.begin(id, startedSession(clock.now()))
  const published = publishRun(folder, { pid, cwd, note: `run ${words.join(' ').slice(0, 200)}`, id, track })
  let lastReport = -Infinity
  return {
    sample(verdict, isNews) {
      if (!isNews && verdict.at - lastReport < reportEveryMs) return
      lastReport = verdict.at
      const signals = readReport(writeReport(reportOf(verdict, pid)), verdict.at, true)
      if (typeof signals !== 'string') track.file(id, signals)
    },
    terminal(verdict) {
      const now = clock.now()
      track.file(id, terminalSignals(verdict, now, now))
    },
    async close() {
      track.close()
      await published
    },
  }
}
