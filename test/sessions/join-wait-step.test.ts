/** Sessions that come while they are waited for. */
import { expect, test } from 'vitest'
import { joinWait, startWait, stepWait, type WaitRequest } from '../../src/sessions/wait/wait-step.ts'
import { finished, liveSession, news, prompt, sessionOf } from '../support/live.ts'

const any: WaitRequest = { for: ['idle'], next: false, mode: 'any', ignoreBackground: false, held: 0 }
const all: WaitRequest = { ...any, mode: 'all' }
const working = liveSession(sessionOf([prompt(1500)]), { id: 'a' })
const done = (id: string) =>
  liveSession(sessionOf([prompt(1500), news(1800, finished, { what: 'Stop' })]), { id })

test('one that comes is one of them, and those that were there stay', () => {
  const { state } = startWait(any, [working], 1000, undefined, 1)
  const joined = joinWait(any, state, [done('b')], 2000, 0)
  expect(joined.state.targets.map(({ live }) => live.id)).toEqual(['a', 'b'])
  expect(joined.done).toMatchObject({ outcome: 'reached', sessions: [{ id: 'b' }] })
})

test('all are not there while some are still to come, however long those that are there have been done', () => {
  const begun = startWait(all, [done('a')], 2000, undefined, 1)
  expect(begun.done).toBeUndefined()
  expect(stepWait(all, begun.state, { type: 'time', now: 60_000 }).done).toBeUndefined()
  const joined = joinWait(all, begun.state, [done('b')], 60_000, 0)
  expect(joined.done).toMatchObject({ outcome: 'reached', sessions: [{ id: 'a' }, { id: 'b' }] })
})

test('a turn of one that came counts as its next where it began since the wait did', () => {
  const next = { ...any, next: true }
  const { state } = startWait(next, [], 1000, undefined, 1)
  expect(joinWait(next, state, [done('b')], 2000, 0).done).toMatchObject({ outcome: 'reached' })
  const late = startWait(next, [], 1900, undefined, 1)
  expect(joinWait(next, late.state, [done('b')], 2000, 0).done).toBeUndefined()
})
