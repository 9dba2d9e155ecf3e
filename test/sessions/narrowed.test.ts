/** `lull watch web`: some sessions alone. */
import { expect, test } from 'vitest'
import { narrowed } from '../../src/sessions/narrowed.ts'
import type { LiveChange } from '../../src/sessions/session-source.ts'
import { liveSession, prompt, sessionOf } from '../support/live.ts'

const works = sessionOf([prompt(0)])
const web = liveSession(works, { id: 'aaaaaaaa', name: 'web' })
const api = liveSession(works, { id: 'bbbbbbbb', name: 'api' })

async function told(addresses: readonly string[], ...changes: readonly LiveChange[]) {
  async function* all() {
    yield* changes
  }
  const heard: LiveChange[] = []
  for await (const change of narrowed(all(), addresses)) heard.push(change)
  return heard
}

const snapshot = { type: 'snapshot', sessions: [web, api] } as LiveChange
const changed = (session: typeof web) => ({ type: 'changed', session }) as LiveChange
const gone = (id: string) => ({ type: 'gone', id }) as LiveChange

test('those that are meant, those that come later too, and their ends', async () => {
  const late = liveSession(works, { id: 'cccccccc', name: 'web' })
  const renamed = liveSession(works, { id: 'aaaaaaaa', name: 'other' })
  const all = [snapshot, changed(api), changed(late), changed(renamed), gone('bbbbbbbb'), gone('aaaaaaaa')]
  expect(await told(['web'], ...all)).toEqual([
    { ...snapshot, sessions: [web] },
    changed(late),
    changed(renamed),
    gone('aaaaaaaa'),
  ])
})

test('several; without any address all', async () => {
  expect(await told(['web', 'bbbb'], snapshot)).toEqual([snapshot])
  expect(await told([], snapshot, changed(api))).toEqual([snapshot, changed(api)])
})

test('who is not there is said, with who is', async () => {
  await expect(told(['nobody'], snapshot)).rejects.toMatchObject({
    code: 'NO_SESSION',
    message: expect.stringMatching(/no session "nobody": there is .*web.*, .*api/),
  })
})
