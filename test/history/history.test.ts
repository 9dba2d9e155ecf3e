/** What is added is there, as it was, until it is too old. */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entry, JsonValue, LastFilter } from '../../src/history/entry.ts'
import { openHistory } from '../../src/history/open-history.ts'
import { ask, entryAt, newPlaces, withoutId } from '../support/history.ts'

const now = Date.now()
const kept = { ageMs: Infinity }

test('an entry is read back as it was added, also by who opens the history later', () => {
  const { places } = newPlaces()
  const entry: Entry = {
    at: now,
    kind: 'typed',
    session: 's1',
    agent: 'claude',
    cwd: '/tmp',
    run: 'r1',
    data: { text: 'go on\u001b[31m\n', keys: ['Enter'], certain: true, none: null },
  }
  const history = openHistory(places)
  const id = history.add(entry)
  expect(history.entries()).toEqual([{ ...entry, id }])
  history.close()
  for (const readOnly of [true, false]) {
    const later = openHistory(places, { readOnly })
    expect(later.entries()).toEqual([{ ...entry, id }])
    expect(later.notices).toEqual([])
    later.close()
  }
})

test('it begins with its oldest entry', () => {
  const { places } = newPlaces()
  const before = openHistory(places, { readOnly: true })
  expect(before.begin()).toBeUndefined()
  const history = openHistory(places)
  expect(history.begin()).toBeUndefined()
  history.add(entryAt(now))
  history.add(entryAt(now - 5000))
  expect(history.begin()).toBe(now - 5000)
  expect(before.begin()).toBe(now - 5000)
})

test('what is not known of an entry is left out', () => {
  const history = openHistory(newPlaces().places)
  const id = history.add({ at: now, kind: 'waited' })
  expect(history.entries()).toStrictEqual([{ id, at: now, kind: 'waited' }])
})

test('its folder and its files are this user’s alone', () => {
  const { places, file } = newPlaces()
  openHistory(places).add(entryAt(now))
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
  for (const end of ['', '-wal', '-shm']) expect(statSync(`${file}${end}`).mode & 0o777).toBe(0o600)
})

test('text in the data is data: the file shows no control character of it', () => {
  const { places, file } = newPlaces()
  const history = openHistory(places)
  history.add(entryAt(now, { data: { text: '\u001b]52;c;aGk=\u0007', sql: "'); DROP TABLE entries; --" } }))
  history.close()
  expect(readFileSync(file).includes('\u001b]52')).toBe(false)
  expect(ask(file, 'SELECT count(*) AS n FROM entries')).toEqual([{ n: 1 }])
})

test('once closed it refuses; one that is to be read takes nothing', () => {
  const { places } = newPlaces()
  const history = openHistory(places)
  const reader = openHistory(places, { readOnly: true })
  expect(() => reader.add(entryAt(now))).toThrow(expect.objectContaining({ code: 'USAGE' }))
  history.close()
  history.close()
  expect(() => history.add(entryAt(now))).toThrow(expect.objectContaining({ code: 'CLOSED' }))
  expect(() => history.entries()).toThrow(expect.objectContaining({ code: 'CLOSED' }))
  expect(history.tryAdd(entryAt(now))).toMatch(/closed/)
})

test('where there is no history yet, a reader finds no entries, makes nothing, and sees those that come', () => {
  const { places, file } = newPlaces()
  const reader = openHistory(places, { readOnly: true })
  expect(reader.entries()).toEqual([])
  expect(statSync(path.dirname(file), { throwIfNoEntry: false })).toBeUndefined()
  openHistory(places).add(entryAt(now))
  expect(reader.entries()).toHaveLength(1)
})

describe('entries are told apart', () => {
  const history = openHistory(newPlaces().places, { kept })
  const rows: readonly Entry[] = [
    { at: 1, kind: 'typed', session: 'a', run: 'one' },
    { at: 2, kind: 'answered', session: 'b', run: 'one' },
    { at: 3, kind: 'refused', session: 'a', run: 'two' },
    { at: 4, kind: 'typed', session: 'a' },
    { at: 5, kind: 'typed' },
  ]
  for (const row of rows) history.add(row)

  test.each([
    [{}, [1, 2, 3, 4, 5]],
    [{ session: 'a' }, [1, 3, 4]],
    [{ session: 'c' }, []],
    [{ kinds: ['typed'] }, [1, 4, 5]],
    [{ kinds: ['typed', 'refused'], session: 'a' }, [1, 3, 4]],
    [{ kinds: [] }, []],
    [{ since: 3 }, [3, 4, 5]],
    [{ until: 3 }, [1, 2]],
    [{ since: 2, until: 4 }, [2, 3]],
    [{ run: 'one' }, [1, 2]],
    [{ run: 'one', session: 'a' }, [1]],
    [{ most: 2 }, [4, 5]],
    [{ most: 2, session: 'a' }, [3, 4]],
    [{ most: 0 }, []],
    [{ most: Infinity }, [1, 2, 3, 4, 5]],
    [{ session: "a' OR 1 --" }, []],
  ])('by %j', (filter, times) => {
    expect(history.entries(filter).map(({ at }) => at)).toEqual(times)
  })
})

test('the oldest comes first, however late it was added; of one instant the one that was added first', () => {
  const history = openHistory(newPlaces().places, { kept })
  const ids = [30, 10, 20, 10].map(at => history.add(entryAt(at)))
  expect(history.entries().map(({ id }) => id)).toEqual([ids[1], ids[3], ids[2], ids[0]])
})

test('without a number at most 10 000 come, the newest', () => {
  const { places, file } = newPlaces()
  const history = openHistory(places, { kept })
  ask(
    file,
    `WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 10001)
INSERT INTO entries (at, kind) SELECT value, 'typed' FROM n`,
  )
  expect(history.entries()).toHaveLength(10_000)
  expect(history.entries()[0]?.at).toBe(2)
})

/** A text of any characters, those included that no terminal should see. */
const text = fc.string({ unit: 'binary', maxLength: 40 })
/** Node 22 reads a text as far as its NUL: in names it is replaced. */
const name = text.map(given => given.replaceAll('\0', ''))
const anyEntry = fc.record(
  {
    at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    kind: name,
    session: name,
    agent: name,
    cwd: name,
    run: name,
    data: fc.jsonValue({ stringUnit: 'binary' }),
  },
  { requiredKeys: ['at', 'kind'] },
)
/** JSON has no -0. */
const asJson = (entry: Entry): Entry => JSON.parse(JSON.stringify(entry))

test('whatever is added is read back in order, with the same values', () => {
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 20 }), given => {
      const entries = given as readonly Entry[]
      const { places } = newPlaces()
      const history = openHistory(places, { kept })
      for (const entry of entries) history.add(entry)
      const inOrder = entries.toSorted((a, b) => a.at - b.at).map(asJson)
      expect(history.entries().map(withoutId)).toEqual(inOrder)
      for (const { session } of entries)
        if (session !== undefined)
          expect(history.entries({ session }).map(withoutId)).toEqual(
            inOrder.filter(entry => entry.session === session),
          )
      history.close()
    }),
    { numRuns: 40 },
  )
})

describe('data without bounds', () => {
  const add = (data: JsonValue): JsonValue | undefined => {
    const { places, file } = newPlaces()
    const history = openHistory(places)
    history.add(entryAt(now, { data }))
    const [row] = ask(file, 'SELECT length(CAST(data AS BLOB)) AS bytes FROM entries')
    expect(row?.bytes).toBeLessThanOrEqual(64 * 1024)
    return history.entries()[0]?.data
  }

  test('of 64 kB is kept as it is, of a byte more is cut', () => {
    const room = 64 * 1024 - '{"text":""}'.length
    expect(add({ text: 'x'.repeat(room) })).toEqual({ text: 'x'.repeat(room) })
    expect(add({ text: 'x'.repeat(room + 1) })).toEqual({ text: `${'x'.repeat(16_384)}…` })
  })

  test('loses the rest of long texts first: the fields around them stay', () => {
    expect(add({ screen: 'é'.repeat(1_000_000), why: 'idle', tier: 3, list: [null, false] })).toEqual({
      screen: `${'é'.repeat(16_384)}…`,
      why: 'idle',
      tier: 3,
      list: [null, false],
    })
  })

  test('is not cut between the halves of a character', () => {
    const kept = add({ text: `x${'😀'.repeat(100_000)}` }) as { readonly text: string }
    expect(kept.text.isWellFormed()).toBe(true)
    expect(kept.text).toMatch(/😀…$/u)
  })

  test('of very many parts keeps the first of them, and says that there were more', () => {
    const list = add(Array.from({ length: 100_000 }, (_, n) => n)) as readonly JsonValue[]
    expect(list.slice(0, 3)).toEqual([0, 1, 2])
    expect(list.at(-1)).toBe('…')
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`field${n}`, n]))
    expect(add(many)).toMatchObject({ field0: 0, '…': '…' })
  })

  test('of the worst kind fits as well: control characters, deep, wide', () => {
    const worst = (depth: number): JsonValue =>
      depth === 0
        ? '\u0001'.repeat(2000)
        : Object.fromEntries(
            Array.from({ length: 9 }, (_, n) => [`${n}${'\u0001'.repeat(500)}`, worst(depth - 1)]),
          )
    expect(JSON.stringify(add(worst(3)))).toContain('…')
    let deep: JsonValue = 'end'
    for (let n = 0; n < 200_000; n++) deep = [deep]
    expect(JSON.stringify(add(deep))).toContain('…')
  })

  test('a field may have any name', () => {
    const data = JSON.parse(`{"__proto__": "${'x'.repeat(70_000)}"}`)
    expect(Object.keys(add(data) as object)).toEqual(['__proto__'])
  })

  test('names are bounded too, and found by what they were', () => {
    const history = openHistory(newPlaces().places)
    const session = `${'s'.repeat(100_000)}\ud800`
    history.add(entryAt(now, { session }))
    expect(history.entries({ session })).toHaveLength(1)
    history.add(entryAt(now, { session: 'a\0b' }))
    expect(history.entries({ session: 'a\0b' })).toMatchObject([{ session: 'a\ufffdb' }])
  })
})

test('the last entry of each session, before an instant, without those that say in a field that they are over', () => {
  const { places, file } = newPlaces()
  const history = openHistory(places, { kept })
  const add = (at: number, session: string, state: string, kind = 'state'): number =>
    history.add({ at, kind, session, data: { state } })
  history.add({ at: 1, kind: 'state', data: { state: 'of no session' } })
  add(1, 'a', 'works')
  add(2, 'a', 'over')
  add(1, 'b', 'works')
  add(2, 'b', 'waits')
  add(3, 'b', 'waits', 'another kind')
  add(2, 'c', 'broken')
  ask(file, `UPDATE entries SET data = '{"state":' WHERE session = 'c'`)
  add(2, 'd', 'another kind', 'another kind')
  const told = (filter?: LastFilter) =>
    history
      .lastOfEach('state', filter)
      .map(({ session, at }) => `${session}${at}`)
      .sort()
  expect(told()).toEqual(['a2', 'b2', 'c2'])
  expect(told({ before: 2 })).toEqual(['a1', 'b1'])
  expect(told({ without: ['$.state', 'over'] })).toEqual(['b2', 'c2'])
  expect(told({ before: 2, without: ['$.state', 'over'] })).toEqual(['a1', 'b1'])
})
