/** What is kept is bounded, by age and by size, and what goes gives its room back. */
import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openHistory } from '../../src/history/open-history.ts'
import { retention } from '../../src/history/prune.ts'
import { ask, entryAt, integrityOf, newPlaces } from '../support/history.ts'

const day = 24 * 60 * 60 * 1000
const today = Date.UTC(2026, 10, 24)
const now = () => today

/** SQL for so many entries of the same size. */
const many = (count: number, at: string, bytes: number): string => `
WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < ${count} - 1)
INSERT INTO entries (at, kind, data) SELECT ${at}, 'typed', '"' || printf('%.*c', ${bytes}, 'x') || '"' FROM n`

test('a month and a gigabyte are kept, as the table says', () => {
  expect(retention).toMatchObject({ ageMs: 30 * day, bytes: 2 ** 30, everyMs: day / 24 })
})

test('an opening takes away what is older than a month, and the file gets smaller', () => {
  const { places, file } = newPlaces()
  openHistory(places, { now }).close()
  ask(file, many(5000, `${today} - 40 * ${day} + value`, 1000))
  ask(file, many(100, `${today} - 29 * ${day} + value`, 1000))
  const before = statSync(file).size
  const history = openHistory(places, { now })
  expect(history.entries()).toHaveLength(100)
  history.close()
  expect(statSync(file).size).toBeLessThan(before / 10)
  expect(integrityOf(file)).toBe('ok')
})

test('an entry at the very edge stays', () => {
  const { places } = newPlaces()
  const history = openHistory(places, { now })
  history.add(entryAt(today - 30 * day))
  history.add(entryAt(today - 30 * day - 1))
  history.close()
  expect(
    openHistory(places, { now })
      .entries()
      .map(({ at }) => at),
  ).toEqual([today - 30 * day])
})

test('above its size the oldest go, and no more of them than needed', () => {
  const { places, file } = newPlaces()
  openHistory(places, { now }).close()
  ask(file, many(4000, `${today} - value`, 1000))
  const bytes = 2 * 1024 * 1024
  const history = openHistory(places, { now, kept: { bytes } })
  const left = history.entries({ most: Infinity })
  history.close()
  const { size } = statSync(file)
  expect(size).toBeLessThanOrEqual(bytes)
  expect(size).toBeGreaterThan(bytes * 0.8)
  expect(left.at(-1)?.at).toBe(today)
  expect(left[0]?.at).toBe(today - left.length + 1)
})

test('a single entry that is too large for it goes as well', () => {
  const { places } = newPlaces()
  openHistory(places, { now, kept: { bytes: 1 } }).add(entryAt(today))
  expect(openHistory(places, { now, kept: { bytes: 1 } }).entries()).toEqual([])
})

test('one that stays open is pruned once an hour, when something is added', () => {
  let instant = today
  const { places } = newPlaces()
  const history = openHistory(places, { now: () => instant })
  const addOld = () => history.add(entryAt(instant - 31 * day, { kind: 'old' }))
  const addNew = () => history.add(entryAt(instant, { kind: 'new' }))
  const left = () => history.entries({ kinds: ['old'] }).length
  addOld()
  instant += day / 24 - 1
  addNew()
  expect(left()).toBe(1)
  instant += 1
  addNew()
  expect(left()).toBe(0)
  // A clock that is set back by a year does not put it off for a year.
  instant -= 365 * day
  addOld()
  expect(left()).toBe(0)
})

test('nobody waits for all of it: an opening takes a part, and each entry that is added another', () => {
  const { places, file } = newPlaces()
  openHistory(places, { now }).close()
  ask(file, many(1000, `${today} - 40 * ${day} + value`, 100))
  const history = openHistory(places, { now, kept: { batch: 100, batches: 2 } })
  const counts = [history.entries({ most: Infinity }).length]
  for (let n = 0; n < 6; n++) {
    history.add(entryAt(today))
    counts.push(history.entries({ most: Infinity }).length)
  }
  expect(counts).toEqual([800, 701, 602, 503, 404, 305, 206])
})

test('who only reads takes nothing away', () => {
  const { places } = newPlaces()
  openHistory(places, { now }).add(entryAt(today - 31 * day))
  expect(openHistory(places, { now, readOnly: true }).entries()).toHaveLength(1)
})

test('what is being pruned can be read and added to by others', () => {
  const { places, file } = newPlaces()
  const other = openHistory(places, { now })
  ask(file, many(5000, `${today} - 40 * ${day} + value`, 1000))
  other.add(entryAt(today, { kind: 'other' }))
  const history = openHistory(places, { now })
  other.add(entryAt(today, { kind: 'other' }))
  expect(history.entries().map(({ kind }) => kind)).toEqual(['other', 'other'])
  expect(other.entries()).toEqual(history.entries())
})

test('an id that was given is never given again', () => {
  const { places } = newPlaces()
  const history = openHistory(places, { now })
  const id = history.add(entryAt(today - 31 * day))
  history.close()
  const later = openHistory(places, { now })
  expect(later.entries()).toEqual([])
  expect(later.add(entryAt(today))).toBe(id + 1)
})

test('what is taken in from another store makes it no larger than it may be', () => {
  const { places } = newPlaces()
  const history = openHistory(places, { kept: { bytes: 400_000, everyMs: 0 } })
  for (let batch = 0; batch < 20; batch++) {
    const entries = Array.from({ length: 50 }, (_, n) => ({
      ...entryAt(Date.now(), { data: 'x'.repeat(1000) }),
      id: batch * 50 + n + 1,
    }))
    history.outbox.takeIn('red s', entries)
  }
  expect(history.entries().length).toBeLessThan(450)
  history.close()
})
