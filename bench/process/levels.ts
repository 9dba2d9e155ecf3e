/** What a run would be told of a tree that stays as it was seen: its health over half an hour of simulated time. */

import type { Health } from '../../src/core/state.ts'
import type { Diagnosis } from '../../src/process/diagnosis.ts'
import { type Metrics, noMetrics } from '../../src/process/metrics.ts'
import type { Snapshot, SnapshotPair } from '../../src/process/snapshot.ts'
import { newHealth, stepHealth } from '../../src/run/step/health-step.ts'
import { presets } from '../../src/run/step/presets.ts'
import type { Observation } from './observe.ts'

export const simulatedSeconds = 1800
/** s between two cuts. */
const betweenCuts = 10

const rank = { healthy: 0, suspicious: 1, likely_stuck: 2, confirmed_stuck: 3 } as const

/** The gravest health on the way, by the preset that is the quickest to suspect. */
export function worstHealth(
  { diagnosis, cut, readings, printsEvery }: Observation,
  seconds: number = simulatedSeconds,
): Health {
  const last = readings.at(-1)
  const moved = cut ? timeSlices(cut.before) !== timeSlices(cut.after) : true
  const metrics: Metrics = {
    ...noMetrics,
    cpuPercent: last?.cpuPercent ?? 0,
    ioBytes: last?.ioBytes ?? 0,
    connections: last?.isConnected ? 1 : 0,
  }
  return worstOf({ diagnosis, cut, moved, metrics, prints: printsEvery !== undefined, seconds })
}

type Life = {
  readonly diagnosis: Diagnosis | undefined
  readonly cut: SnapshotPair | undefined
  readonly moved: boolean
  readonly metrics: Metrics
  /** Prints something new all the time. */
  readonly prints: boolean
  readonly seconds: number
}

function worstOf({ diagnosis, cut, moved, metrics, prints, seconds }: Life): Health {
  let state = newHealth(0)
  let worst: Health = state.health
  for (let second = 1; second <= seconds; second++) {
    const at = second * 1000
    const isCut = second % betweenCuts === 0
    const step = stepHealth(
      state,
      {
        sample: {
          at,
          tier: isCut ? 2 : 0,
          moved,
          lastMoved: moved ? at : 0,
          metrics,
          ...(isCut && cut ? { cut } : {}),
        },
        lastOutput: prints ? at : 0,
        isStdinOpen: true,
        ...(isCut && diagnosis ? { diagnosis } : {}),
      },
      presets.aggressive,
    )
    state = step.state
    if (rank[state.health.level] >= rank[worst.level]) worst = state.health
  }
  return worst
}

export const isCalledStuck = ({ level }: Health): boolean => rank[level] >= rank.likely_stuck

const timeSlices = ({ processes }: Snapshot): string =>
  processes.flatMap(({ threads }) => threads.map(({ tid, slices }) => `${tid}=${slices}`)).join()
