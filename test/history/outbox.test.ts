/** Readers that pass entries on: in the order in which they were added, from where each had come. */
import { renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openHistory } from '../../src/history/open-history.ts'
import { entryAt, newPlaces } from '../support/history.ts'

const now = Date.now()
const state = (at: number, session: string, n: number) =>
  entryAt(at, { kind: 'session.state', session, data: { n } })

test('a new reader begins with what comes next, and is where it was when the history is opened again', () => {
  const { places } = newPlaces()
  const history = openHistory(places)
  const before = history.add(state(now, 'a', 1))
  expect(history.outbox.cursor('fleet')).toBeUndefined()
  history.outbox.begin('fleet', 'newest')
  history.outbox.begin('fleet', 'oldest')
  expect(history.outbox.cursor('fleet')).toEqual({ entry: before })
  const next = history.add(state(now, 'a', 2))
  expect(history.outbox.move('fleet', { entry: next, stopped: 'gone' })).toBe(true)
  history.close()
  for (const readOnly of [true, false]) {
    const later = openHistory(places, { readOnly })
    expect(later.outbox.cursor('fleet')).toEqual({ entry: next, stopped: 'gone' })
    later.close()
  }
})

test('entries come in the order in which they were added, whatever their times are, and of one kind', () => {
  const history = openHistory(newPlaces().places)
  const ids = [now, now - 5000, now + 5000].map((at, n) => history.add(state(at, n === 1 ? 'b' : 'a', n)))
  history.add(entryAt(now))
  const { outbox } = history
  const all = []
  for (let one = outbox.next('session.state', 0); one; one = outbox.next('session.state', one.id))
    all.push(one)
  expect(all.map(({ id }) => id)).toEqual(ids)
  expect(all.map(one => outbox.previous(one)?.id)).toEqual([undefined, undefined, ids[0]])
  expect(outbox.countAfter('session.state', ids[0] as number)).toBe(2)
})

test('an id of an entry that was pruned is not one of what comes next', () => {
  const { places } = newPlaces()
  const kept = { ageMs: 1000, everyMs: 0 }
  const history = openHistory(places, { kept, now: () => now })
  const old = history.add(state(now - 60_000, 'a', 1))
  history.add(entryAt(now - 60_000))
  history.outbox.begin('fleet', 'newest')
  expect(history.outbox.cursor('fleet')?.entry).toBeGreaterThanOrEqual(old)
  const next = history.add(state(now, 'a', 2))
  expect(history.outbox.next('session.state', history.outbox.cursor('fleet')?.entry ?? 0)?.id).toBe(next)
})

test('a store that was begun anew has no cursor, as its ids begin anew', () => {
  const { places, file } = newPlaces()
  const history = openHistory(places)
  for (let n = 0; n < 5; n++) history.add(state(now, 'a', n))
  history.outbox.begin('fleet', 'newest')
  renameSync(file, `${file}.away`)
  expect(history.add(state(now, 'a', 6))).toBe(1)
  expect(history.outbox.cursor('fleet')).toBeUndefined()
  expect(history.outbox.move('fleet', { entry: 5 })).toBe(false)
  history.outbox.begin('fleet', 'oldest')
  expect(history.outbox.next('session.state', history.outbox.cursor('fleet')?.entry ?? 9)?.id).toBe(1)
})

test('who reads has no cursor where there is no history yet, and can’t move one', () => {
  const history = openHistory(newPlaces().places, { readOnly: true })
  expect(history.outbox.cursor('fleet')).toBeUndefined()
  expect(history.outbox.next('session.state', 0)).toBeUndefined()
  expect(history.outbox.countAfter('session.state', 0)).toBe(0)
  expect(() => history.outbox.move('fleet', { entry: 1 })).toThrow('was opened to be read')
})

test('a batch has what comes next, of any kind, as far as it has room, and one entry at least', () => {
  const history = openHistory(newPlaces().places)
  const ids = [0, 1, 2].map(n => history.add(n === 1 ? entryAt(now) : state(now, 'a', n)))
  const idsOf = (after: number, characters: number) =>
    history.outbox.batch(after, characters).map(({ id }) => id)
  expect(idsOf(0, 10_000)).toEqual(ids)
  expect(idsOf(ids[0] as number, 1)).toEqual([ids[1]])
  expect(idsOf(ids[2] as number, 10_000)).toEqual([])
  expect(history.outbox.countAfter(undefined, ids[0] as number)).toBe(2)
})

test('entries of another store are taken in once, and a store has a name of its own', () => {
  const [from, to] = [openHistory(newPlaces().places), openHistory(newPlaces().places)]
  for (let n = 0; n < 3; n++) from.add(state(now, 'a', n))
  const all = from.outbox.batch(0, 10_000)
  expect(to.outbox.takeIn('other', all.slice(0, 2))).toBe(2)
  expect(to.outbox.takeIn('other', all)).toBe(1)
  expect(to.entries().map(({ data }) => data)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }])
  expect(from.outbox.store()).toBe(from.outbox.store())
  expect(from.outbox.store()).not.toBe(to.outbox.store())
})
