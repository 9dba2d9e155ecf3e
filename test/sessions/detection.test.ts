/** `DetectionStatus` of any session, whichever source reported the end first. */
import { expect, test } from 'vitest'
import { detectionStatus } from '../../src/sessions/detection-status.ts'
import { background, finished, liveSession, news, prompt, sessionOf, status } from '../support/live.ts'

const at = (signals: Parameters<typeof sessionOf>[0]) =>
  detectionStatus(liveSession(sessionOf(signals)), { now: 10_000, wall: 1_000_000 })

const stop = news(5000, finished, { what: 'Stop' })
const notice = news(5000, finished, { what: 'Notification' })
const row = news(4990, finished, { source: 'transcript', what: 'end_turn' })

test('a session without a hook has no times', () =>
  expect(at([prompt(1, { source: 'transcript' }), row])).toMatchObject({
    ...{ stopHookReceived: false, stopHookTime: null, idlePromptReceived: false, idlePromptTime: null },
    transcriptComplete: true,
  }))

test.each([
  ['alone', [prompt(1), stop], 995_000],
  ['after the transcript', [prompt(1), row, stop], 994_990],
  ['beside a status file', [prompt(1), status(4995, { kind: 'idle' }), stop], 995_000],
])('a Stop is received %s', (_, signals, time) =>
  expect(at(signals)).toMatchObject({ stopHookReceived: true, stopHookTime: time, idleConfidence: 100 }),
)

test('a notice of idleness is no Stop', () =>
  expect(at([prompt(1), notice])).toMatchObject({
    ...{ stopHookReceived: false, stopHookTime: null, idlePromptReceived: true, idlePromptTime: 995_000 },
    idleConfidence: 100,
  }))

test('a Stop that leaves work behind, or a turn that has begun since, is no idleness', () => {
  for (const next of [news(5000, background, { lane: 'bg:b1' }), prompt(6000)])
    expect(at([prompt(1), stop, next])).toMatchObject({
      ...{ stopHookReceived: false, stopHookTime: null, working: true, idleConfidence: 0 },
    })
})
