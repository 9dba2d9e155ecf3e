/** A run as a trace: its times count from the command's start, and never run back. */
import { openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { noMetrics } from '../../src/process/metrics.ts'
import { createRecorder } from '../../src/run/record-run.ts'
import type { RunVerdict } from '../../src/run/step/run-verdict.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { replay } from '../../src/track/replay.ts'
import { temporaryFolder } from '../support/lull.ts'

test('output that is read after a look was taken does not make the time of its verdict run back', () => {
  const clock = virtualClock(1_000_000)
  clock.advance(500)
  const begun = clock.now()
  clock.advance(300)
  const file = path.join(temporaryFolder(), 'a.cast')
  const recorder = createRecorder(openSync(file, 'wx'), {
    words: ['sh'],
    clock,
    begun,
    onFailure: () => undefined,
    onNotice: () => undefined,
  })
  clock.advance(100)
  const verdict: RunVerdict = {
    at: clock.now(),
    health: { level: 'healthy', certainty: 'low' },
    since: begun,
    reason: 'it works',
    safeToKill: false,
    metrics: noMetrics,
    history: [],
  }
  clock.advance(20)
  recorder.output(1, Buffer.from('start\n'))
  recorder.sample(7, verdict, true)
  recorder.end({ code: 0 })
  const complaints: object[] = []
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const changes = [...replay(lines, { complain: complaint => complaints.push(complaint) })]
  expect(complaints).toEqual([])
  const [, output, report] = lines.map(line => JSON.parse(line))
  expect([output[0], report[0]]).toEqual([0.42, 0.42])
  expect(JSON.parse(report[2]).held).toBeLessThanOrEqual(420)
  expect(changes.every(({ verdict: { since } }) => since >= 0)).toBe(true)
})
