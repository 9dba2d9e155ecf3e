/** What a host keeps of its sessions, where the history takes nothing for a while. */
import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newSession } from '../../../src/core/session.ts'
import { openHistory } from '../../../src/history/open-history.ts'
import { keepPast } from '../../../src/sessions/history/keep-past.ts'
import { readPast, stateKind } from '../../../src/sessions/history/session-past.ts'
import { newPlaces } from '../../support/history.ts'
import { fakeLive, finished, liveSession, news, prompt, sessionOf } from '../../support/live.ts'
import { until } from '../../support/until.ts'

test('what could not be kept is kept once there is room, in its order', async () => {
  const { places, file } = newPlaces()
  const sessions = fakeLive()
  const complaints: string[] = []
  const kept = keepPast(sessions.live, places, sessions.clock, sentence => complaints.push(sentence))
  const states = () => {
    const history = openHistory(places, { readOnly: true })
    const all = history.entries({ kinds: [stateKind] }).map(entry => readPast(entry)?.state)
    history.close()
    return all
  }
  const comeTo = (...wanted: readonly string[]) =>
    until(states, all => all.join() === wanted.join(), wanted.join())
  sessions.file('a', prompt(0))
  await comeTo('working')
  renameSync(file, `${file}.away`)
  mkdirSync(file)
  sessions.file('a', news(1, finished))
  await until(
    () => complaints.length,
    count => count > 0,
  )
  rmdirSync(file)
  renameSync(`${file}.away`, file)
  sessions.file('b', prompt(2))
  await comeTo('working', 'idle', 'working')
  sessions.end()
  await kept
  expect(complaints).toEqual([expect.stringMatching(/^the history does not keep this now: .* is in the way/)])
})

test('one that can’t be read is told once, and the others are kept', async () => {
  const { places } = newPlaces()
  const sessions = fakeLive()
  const complaints: string[] = []
  const kept = keepPast(sessions.live, places, sessions.clock, sentence => complaints.push(sentence))
  const broken = liveSession({ ...newSession(0), facts: undefined } as never, { id: 'broken01' })
  for (const _ of ['once', 'again']) sessions.tell({ type: 'changed', session: broken })
  sessions.tell({ type: 'snapshot', sessions: [broken, liveSession(sessionOf([prompt(0)]))] })
  sessions.end()
  await kept
  expect(complaints).toEqual([expect.stringMatching(/^the history can't keep session broken01: TypeError: /)])
  const history = openHistory(places, { readOnly: true })
  expect(history.entries({ kinds: [stateKind] }).map(({ session }) => session)).toEqual(['abcd1234'])
  history.close()
})
