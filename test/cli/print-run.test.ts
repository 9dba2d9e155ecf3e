/** The JSON lines of `lull run`: what a person or a program reads of them. */
import { describe, expect, test } from 'vitest'
import { endRow, verdictRow } from '../../src/cli/ui/print-run.ts'
import type { RunSummary } from '../../src/run/run-summary.ts'
import type { RunVerdict } from '../../src/run/step/run-verdict.ts'

const summary: RunSummary = {
  total: 12345.678901,
  computing: 4000.6123,
  waiting: 4000.6123,
  quiet: 4344.454301,
  peakBytes: 1024,
}

const metrics = {
  cpuPercent: 33.333333333,
  delayPercent: 0.00049,
  ioBytes: 12,
  connections: 0,
  threads: 1,
  fds: 3,
  residentBytes: 4096,
  processes: 1,
}

const verdict: RunVerdict = {
  at: 1000.25,
  since: 1000.25,
  silentFor: 600_000.123456,
  health: { level: 'healthy', certainty: 'low' },
  reason: 'it works',
  safeToKill: false,
  metrics,
  history: [metrics],
}

describe('a row', () => {
  test('of the end tells whole milliseconds, whose parts add up to the total', () => {
    expect(endRow({ code: 0, isActedOn: false, summary }, 0)).toEqual({
      type: 'end',
      at: '1970-01-01T00:00:00.000Z',
      code: 0,
      isActedOn: false,
      total: 12346,
      computing: 4001,
      waiting: 4000,
      quiet: 4345,
      peakBytes: 1024,
    })
  })

  test('of a run that was over before the first look has no parts', () => {
    const none = { total: 3.9, computing: 0, waiting: 0, quiet: 0, peakBytes: 0 }
    expect(endRow({ code: 0, isActedOn: false, summary: none }, 0)).toMatchObject({
      total: 4,
      computing: 0,
      waiting: 0,
      quiet: 0,
    })
  })

  test('of a verdict tells whole milliseconds, and thousandths of a percent', () => {
    const brief = { cpuPercent: 33.333, delayPercent: 0 }
    expect(verdictRow(verdict, 0)).toMatchObject({
      silentFor: 600_000,
      metrics: { ...metrics, ...brief },
      history: [{ ...metrics, ...brief }],
    })
  })
})
