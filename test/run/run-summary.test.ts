/** What the time of a run went into. */
import { expect, test } from 'vitest'
import { noMetrics } from '../../src/process/metrics.ts'
import { createTally } from '../../src/run/run-summary.ts'
import type { RunVerdict } from '../../src/run/step/run-verdict.ts'

const verdict = (at: number, more: Partial<RunVerdict> = {}): RunVerdict => ({
  at,
  health: { level: 'healthy', certainty: 'low' },
  since: 0,
  reason: 'it works',
  safeToKill: false,
  metrics: noMetrics,
  history: [],
  ...more,
})

const timer = {
  diagnosis: {
    cause: 'timer',
    proof: 'bounded',
    isBlocked: false,
    summary: 'a timer',
    chain: [],
    waits: [],
    doubts: [],
  },
} as const satisfies Partial<RunVerdict>

test('what a look finds was so while nothing moved before it', () => {
  const tally = createTally(0)
  tally.add(verdict(200), true)
  tally.add(verdict(1200), false)
  tally.add(verdict(2200, timer), false)
  expect(tally.summary(3000)).toMatchObject({ waiting: 3000, quiet: 0, computing: 0 })
})

test('quiet time that nobody looked into stays quiet', () => {
  const tally = createTally(0)
  tally.add(verdict(200), true)
  tally.add(verdict(1200), false)
  expect(tally.summary(1500)).toMatchObject({ waiting: 200, quiet: 1300 })
  tally.add(verdict(2000), true)
  expect(tally.summary(2000)).toMatchObject({ waiting: 1000, quiet: 1000 })
})
