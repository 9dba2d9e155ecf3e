import { expect, test } from 'vitest'
import { hasCrashed } from '../../src/sessions/crashed.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { liveOf } from '../support/respawn-runner.ts'
import { hook, line, play, stamp } from '../support/scenario.ts'

/** Its process is gone after that. */
function goneAfter(events: Parameters<typeof play>[1], hooks: LiveSession['hooks'] = 'heard'): LiveSession {
  const live = liveOf(play('claude', events, { until: 9 }).session)
  const verdict = { ...live.session.verdict, state: { kind: 'exited' }, because: [] } as const
  return { ...live, hooks, session: { ...live.session, verdict } }
}

const row = (t: number, more: object) => line(t, { timestamp: stamp(t), ...more })
const prompt = row(1, { type: 'user', promptId: 'p1', message: { content: 'go' } })
const end = row(2, {
  type: 'assistant',
  message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'Done.' }] },
})
const begun = hook(1.1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'go' })
const stop = hook(2.1, 'Stop', { prompt_id: 'p1' })

test('what its hooks did not tell of was no end of its own', () => {
  expect(hasCrashed(goneAfter([prompt, begun]))).toBe(true)
  expect(hasCrashed(goneAfter([prompt, begun, end, stop]))).toBe(true)
})

test('what they told of was, also where its process is seen to be gone after that', () =>
  expect(hasCrashed(goneAfter([prompt, begun, end, stop, hook(3, 'SessionEnd', { reason: 'other' })]))).toBe(
    false,
  ))

test('hooks that were taken out, and told nothing of its last turn, would tell nothing of its end', () => {
  const first = [prompt, begun, end, stop]
  const later = [
    row(4, { type: 'user', promptId: 'p2', message: { content: 'on' } }),
    row(5, {
      type: 'assistant',
      message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'Done.' }] },
    }),
  ]
  expect(hasCrashed(goneAfter([...first, ...later]))).toBe(false)
  expect(hasCrashed(goneAfter(first, 'blind'))).toBe(false)
})

test('of a turn that was broken off no hook tells the end: those that told of its start are in place', () => {
  const first = [prompt, begun, end, stop]
  const broken = (told: boolean) => [
    ...first,
    row(4, { type: 'user', promptId: 'p2', message: { content: 'on' } }),
    ...(told ? [hook(4.1, 'UserPromptSubmit', { prompt_id: 'p2', prompt: 'on' })] : []),
    row(5, {
      type: 'user',
      promptId: 'p2',
      message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] },
    }),
  ]
  expect(goneAfter(broken(true)).session.lanes.main?.news.state).toMatchObject({ after: 'interrupt' })
  expect(hasCrashed(goneAfter(broken(true)))).toBe(true)
  expect(hasCrashed(goneAfter(broken(false)))).toBe(false)
})
