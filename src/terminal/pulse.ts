/**
 * Whether the processes of a terminal have run since a look: a sleeping command is waited for without looking closer.
 * /proc/PID/schedstat changes whenever the main thread runs; other threads are looked after every five seconds.
 */
import { readText } from '../os/proc/proc-file.ts'
import type { Probe } from './probe/probed.ts'

/** ms */
const longestTrust = 5000

export type Pulse = {
  /** To be called before the look. */
  before(): void
  /** The look has shown a running program that nothing but its own running can change. */
  keep(probe: Probe): void
  /** Nothing has run since the look that was kept. */
  isStill(): boolean
}

export function terminalPulse(leader: number): Pulse {
  let pids: readonly number[] = [leader]
  let [beat, kept, keptAt]: [string, string | undefined, number] = ['', undefined, 0]
  return {
    before() {
      beat = beatOf(pids)
      kept = undefined
    },
    keep({ processes }) {
      const now = [leader, ...processes.map(({ pid }) => pid)]
      // Of others nothing was heard before this look.
      if (`${now}` === `${pids}`) [kept, keptAt] = [beat, performance.now()]
      pids = now
    },
    isStill: () => kept !== undefined && performance.now() - keptAt < longestTrust && beatOf(pids) === kept,
  }
}

const beatOf = (pids: readonly number[]): string => pids.map(pid => readText(`/proc/${pid}/schedstat`)).join()
