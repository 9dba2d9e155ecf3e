/** What of its sessions leaves a machine in a fleet. */
import { expect, test } from 'vitest'
import { isShared } from '../../src/fleet/share/share.ts'
import { sharedSource } from '../../src/fleet/share/shared-sessions.ts'
import type { LiveChange, LiveSession } from '../../src/sessions/session-source.ts'
import { finished, liveSession, news, prompt, sessionOf } from '../support/live.ts'

const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
const live: LiveSession = {
  ...liveSession(sessionOf([prompt(1), news(2, finished)])),
  title: `about ${token}`,
  cwd: '/srv/web',
  transcript: '/home/me/secret.jsonl',
}
const source = {
  list: async () => [live],
  async changes() {
    return (async function* (): AsyncIterableIterator<LiveChange> {
      yield { type: 'snapshot', sessions: [live] }
      yield { type: 'changed', session: live }
      yield { type: 'gone', id: live.id }
    })()
  },
}

test('no secret leaves, and the verdict is as it was', async () => {
  const [shared] = await sharedSource(source, 'text').list()
  expect(shared).toEqual({ ...live, title: 'about [redacted]' })
})

test('where states are shared alone, no word leaves, in the list and in each change', async () => {
  const shared = sharedSource(source, 'states')
  const [one] = await shared.list()
  const changes: LiveChange[] = []
  for await (const change of await shared.changes()) changes.push(change)
  expect(changes).toEqual([
    { type: 'snapshot', sessions: [one] },
    { type: 'changed', session: one },
    { type: 'gone', id: live.id },
  ])
  expect(one).toMatchObject({ id: live.id, agent: live.agent, cwd: '/srv/web' })
  const { state, turn, since, confidence } = live.session.verdict
  expect(one?.session.verdict).toMatchObject({
    ...{ state, turn, since, confidence },
    because: [{ what: 'its machine shares states alone' }],
  })
  expect(one?.session.facts).toEqual({})
  expect(JSON.stringify(one)).not.toMatch(/about|secret|jsonl/)
})

test.each([
  ['/v1/sessions', true, true],
  ['/v1/live', true, true],
  ['/v1/sessions/abc/seen', true, true],
  ['/v1/sessions/abc/send', false, true],
  ['/v1/sessions/abc/explain', false, true],
  ['/v1/since', false, true],
  ['/v1/sessions/abc/screen', false, false],
  ['/v1/recordings', false, false],
  ['/v1/recordings/day.jsonl/film', false, false],
])('%s: with states %s, with text %s', (path, states, text) => {
  expect([isShared(path, 'states'), isShared(path, 'text'), isShared(path, 'screens')]).toEqual([
    states,
    text,
    true,
  ])
})
