/** The history of a host at the server, and at a viewer: nothing is lost, nothing is there twice, whatever fails in between. */
import { renameSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchText, readBatch } from '../../src/fleet/history/batch.ts'
import type { HistoryStream } from '../../src/fleet/history/history-stream.ts'
import { awayOnHost, entriesOnHosts, takeNew } from '../../src/fleet/history/kept-history.ts'
import { publishHistory } from '../../src/fleet/history/publish-history.ts'
import { type Share, sharedEntry } from '../../src/fleet/share/share.ts'
import { secretsRemover } from '../../src/fleet/share/without-secrets.ts'
import type { Entry, StoredEntry } from '../../src/history/entry.ts'
import { type History, openHistory } from '../../src/history/open-history.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { ask, newPlaces } from '../support/history.ts'

const now = Date.now()
const stateAt = (n: number, more: object = {}): Entry => ({
  ...{ at: now - 100_000 + n, kind: 'session.state', session: 'abcd1234', agent: 'claude', cwd: '/srv' },
  data: { state: 'idle', turn: n, ...more },
})

/** `emptied`: it has lost its disk, and nobody has noticed. */
const allFailures = ['none', 'lost', 'answer lost', 'disk lost', 'emptied'] as const
type Failure = (typeof allFailures)[number]

/** A server: each publishing meets the next of these failures. */
function fakeStream(failures: readonly Failure[]) {
  type Message = { seq: number; host: string; at: number; text: string }
  let [begun, messages, tries] = [1, [] as Message[], 0]
  let last = 0
  const lastOf = (host: string) => messages.findLast(one => one.host === host)
  function loseDisk(): void {
    begun++
    messages = []
    last = 0
  }
  const stream: HistoryStream & {
    last(host: string): Promise<Message | undefined>
    heal(): void
    loseDisk(): void
    backup(): () => void
    restore(backup: () => void): void
  } = {
    backup() {
      const [then, count] = [[...messages], last]
      return () => {
        messages = [...then]
        last = count
      }
    },
    restore: backup => backup(),
    loseDisk,
    heal() {
      tries = failures.length
    },
    isUp: () => true,
    begun: async () => begun,
    last: async host => lastOf(host),
    lastAt: async host => lastOf(host)?.at,
    async publish(host, text, after) {
      const failure = failures[tries++] ?? 'none'
      if (failure === 'disk lost' || failure === 'emptied') loseDisk()
      if (failure === 'lost' || failure === 'disk lost') throw new Error('no answer')
      const before = lastOf(host)?.seq ?? 0
      // It answers nothing then.
      if (after !== undefined && before !== after) throw new Error('no answer')
      messages.push({ seq: ++last, host, at: Date.now(), text })
      if (failure === 'answer lost') throw new Error('no answer')
      return { seq: last, before, made: String(begun) }
    },
    async read(after, onBegin, take) {
      onBegin(Date.now())
      for (const message of messages) if (message.seq > after) take(message)
    },
    purge: async () => undefined,
  }
  return stream
}

const turnsOf = (history: History): readonly number[] =>
  history
    .entries({ most: Number.POSITIVE_INFINITY })
    .map(({ data }) => (data as { readonly turn: number }).turn)

test('of any failures of the server nothing is lost and nothing doubled at a viewer', async () => {
  const failures = fc.array(fc.constantFrom(...allFailures), { maxLength: 12 })
  const steps = fc.array(fc.tuple(fc.nat(40), fc.boolean()), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(failures, steps, async (failing, adding) => {
      const stream = fakeStream(failing)
      const [{ places }, viewer] = [newPlaces(), openHistory(newPlaces().places)]
      const history = openHistory(places)
      const clock = virtualClock()
      let added = 0
      for (const [count, isRead] of adding) {
        const around = { places, clock, share: 'text' as const, complain: () => undefined }
        const publisher = publishHistory(stream, 'red', around)
        // Of two kilobytes each: a few make a batch.
        for (let n = 0; n < count; n++) history.add(stateAt(++added, { message: 'm'.repeat(2000) }))
        // A host that is stopped publishes once more; the next one goes on.
        await publisher.close()
        if (isRead) await takeNew(stream, viewer)
      }
      stream.heal()
      const around = { places, clock, share: 'text' as const, complain: () => undefined }
      await publishHistory(stream, 'red', around).close()
      await takeNew(stream, viewer)
      // One that comes last has all, too.
      const late = openHistory(newPlaces().places)
      await takeNew(stream, late)
      for (const each of [viewer, late])
        expect(turnsOf(each).toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: added }, (_, n) => n + 1),
        )
      for (const one of [history, viewer, late]) one.close()
    }),
    { numRuns: 30 },
  )
})

test('a server that comes back without its disk gets all again, though nothing new has happened', async () => {
  const stream = fakeStream([])
  const { places } = newPlaces()
  openHistory(places).add(stateAt(1))
  const around = { places, clock: virtualClock(), share: 'text' as const, complain: () => undefined }
  const publisher = publishHistory(stream, 'red', around)
  const isPublished = async () => (await stream.last('red'))?.text.includes('"turn":1')
  await expect.poll(isPublished).toBe(true)
  stream.loseDisk()
  publisher.look()
  await expect.poll(isPublished).toBe(true)
  await publisher.close()
})

test('a store that was begun anew is published from its begin, beside what the old one had', async () => {
  const stream = fakeStream([])
  const viewer = openHistory(newPlaces().places)
  for (const turn of [1, 2]) {
    const { places } = newPlaces()
    openHistory(places).add(stateAt(turn))
    const around = { places, clock: virtualClock(), share: 'text' as const, complain: () => undefined }
    await publishHistory(stream, 'red', around).close()
  }
  await takeNew(stream, viewer)
  await takeNew(stream, viewer)
  expect(viewer.entries().map(({ data }) => data)).toMatchObject([{ turn: 1 }, { turn: 2 }])
})

const entry: StoredEntry = { id: 1, ...stateAt(1) }
const sent = (more: object) =>
  readBatch(JSON.stringify({ store: 's', wall: now, entries: [{ ...entry, ...more }] }), 'red', now, 0)

test('a host writes of its own sessions alone, whatever it sends', () => {
  expect(sent({})?.entries).toEqual([{ ...entry, session: 'abcd1234@red' }])
  expect(sent({ session: 'abcd1234@blue' })?.entries).toEqual([])
  expect(sent({ host: 'blue', id: 7 })?.entries[0]?.session).toBe('abcd1234@red')
  expect(sent({ data: { state: 'hacked', turn: 1 } })?.entries).toEqual([])
  expect(sent({ kind: 'api.done', data: { title: 'send', reply: { a: 1 } } })?.entries[0]?.data).toEqual({
    title: 'send',
  })
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const read = readBatch(JSON.stringify(value), 'red', now, 0)
      for (const { session } of read?.entries ?? []) expect(session ?? '@red').toMatch(/@red$/)
    }),
  )
  const fields = fc.record(
    { id: fc.integer(), at: fc.double(), kind: fc.string(), session: fc.string(), data: fc.jsonValue() },
    { requiredKeys: [] },
  )
  fc.assert(fc.property(fields, more => void sent(more)))
})

test('a clock that is an hour off moves its entries by that hour; one that is nearly right moves none', () => {
  const hour = 3_600_000
  const batch = (wall: number): string =>
    batchText({ store: 's', wall, entries: [{ ...entry, at: wall - 5000 }] })
  expect(readBatch(batch(now + hour), 'red', now, 0)?.entries[0]?.at).toBe(now - 5000)
  expect(readBatch(batch(now - hour), 'red', now, 0)?.entries[0]?.at).toBe(now - 5000)
  expect(readBatch(batch(now + 900), 'red', now, 0)?.entries[0]?.at).toBe(now - 4100)
  // The server's clock is wrong.
  expect(readBatch(batch(now), 'red', now - hour, hour)?.entries[0]?.at).toBe(now - 5000)
})

test.each([
  ['states', { state: 'idle', turn: 1, name: 'web' }],
  ['text', { state: 'idle', turn: 1, name: 'web', message: 'the key is [redacted]' }],
] as readonly [Share, object][])('of what is shared as %s no more leaves', (share, data) => {
  const message = 'the key is ghp_16C7e42F292c6912E7710c838347Ae178B4a'
  const shared = secretsRemover()(sharedEntry({ ...entry, data: { ...data, message } }, share))
  expect(shared.data).toEqual(data)
})

test('an action: that it was done, never what it replied', () => {
  const data = { title: 'send by phone', why: 'ls', reply: { status: 200 }, request: 'hash' }
  const done: StoredEntry = { id: 1, at: now, kind: 'api.done', data }
  expect(sharedEntry(done, 'text').data).toEqual({ title: 'send by phone', why: 'ls' })
  expect(sharedEntry(done, 'states').data).toBeUndefined()
})

test('of a host that is away: what its sessions did, and that nobody knows what they do now', async () => {
  const viewer = openHistory(newPlaces().places)
  const read = readBatch(batchText({ store: 's', wall: now, entries: [entry] }), 'red', now, 0)
  viewer.outbox.takeIn('red s', read?.entries ?? [])
  viewer.outbox.takeIn('red s', read?.entries ?? [])
  expect(awayOnHost(viewer, 'red', 0, now)).toMatchObject([
    { session: 'abcd1234@red', outcome: 'unknown', last: { state: 'idle' } },
  ])
  expect(awayOnHost(viewer, 'blue', 0, now)).toEqual([])
  expect(entriesOnHosts(viewer, 'abcd', ['red'], {})).toHaveLength(1)
  expect(() => entriesOnHosts(viewer, 'abcd', ['blue'], {})).toThrow('no session')
})

test('a message that the host has not written moves no cursor: nothing is published again', async () => {
  const stream = fakeStream([])
  const { places } = newPlaces()
  const history = openHistory(places)
  history.add(stateAt(1))
  const around = { places, clock: virtualClock(), share: 'text' as const, complain: () => undefined }
  await publishHistory(stream, 'red', around).close()
  await stream.publish('red', '{"stream":"lull-histories","seq":1}')
  history.add(stateAt(2))
  await publishHistory(stream, 'red', around).close()
  const { text = '' } = (await stream.last('red')) ?? {}
  expect((JSON.parse(text) as { entries: unknown[] }).entries).toHaveLength(1)
})

test.each([
  ['an entry of the year 9999', { at: 253_402_300_799_000, wall: now }],
  ['one that was later than its host sent it', { at: 4e15, wall: -4e15 }],
])('%s is no later than it came', (_, { at, wall }) => {
  const text = JSON.stringify({ store: 's', wall, entries: [{ ...entry, at }] })
  expect(readBatch(text, 'red', now, 0)?.entries[0]?.at).toBeLessThanOrEqual(now)
})

test('a server that was restored from a backup: a viewer that has read further reads what came after', async () => {
  const stream = fakeStream([])
  const viewer = openHistory(newPlaces().places)
  const text = (turn: number): string =>
    batchText({ store: 's', wall: now, entries: [{ id: turn, ...stateAt(turn) }] })
  await stream.publish('red', text(1), 0)
  const backup = stream.backup()
  for (const turn of [2, 3]) await stream.publish('red', text(turn), turn - 1)
  await takeNew(stream, viewer)
  for (const [turn, host] of [
    [2, 'blue'],
    [3, 'red'],
    [4, 'red'],
  ] as const) {
    if (turn === 2) stream.restore(backup)
    await stream.publish(host, text(turn), turn === 3 ? 1 : turn === 4 ? 3 : 0)
    await takeNew(stream, viewer)
  }
  const found = viewer.entries().map(({ session, data }) => [session, (data as { turn: number }).turn])
  expect(found.toSorted()).toEqual([
    ['abcd1234@blue', 2],
    ...[1, 2, 3, 4].map(turn => ['abcd1234@red', turn]),
  ])
})

test('a server that was made anew or restored from a backup, or whose history of a host was taken away, gets all again', async () => {
  const stream = fakeStream([...Array(4).fill('none'), ...Array(4).fill('answer lost')])
  const { places } = newPlaces()
  const history = openHistory(places)
  const around = { places, clock: virtualClock(), share: 'text' as const, complain: () => undefined }
  const publish = async (turn: number): Promise<void> => {
    history.add(stateAt(turn))
    await publishHistory(stream, 'red', around).close()
  }
  const empty = stream.backup()
  await publish(1)
  const backup = stream.backup()
  await publish(2)
  // Its numbers are soon those of before.
  stream.loseDisk()
  for (const _ of [1, 2]) await publishHistory(stream, 'red', around).close()
  for (const [restore, turn] of [
    [() => undefined, 3],
    [backup, 4],
    [empty, 5],
  ] as const) {
    restore()
    await publish(turn)
    const viewer = openHistory(newPlaces().places)
    await takeNew(stream, viewer)
    expect(turnsOf(viewer).toSorted((a, b) => a - b)).toEqual(Array.from({ length: turn }, (_, n) => n + 1))
  }
})

test('what was typed, however long, is not too much for a message', () => {
  const done: StoredEntry = {
    ...{ id: 1, at: now, kind: 'api.done' },
    data: { title: 'send by phone', why: '€'.repeat(20_000) },
  }
  const text = batchText({ store: 's', wall: now, entries: [sharedEntry(done, 'text')] })
  expect(Buffer.byteLength(text)).toBeLessThan(8000)
})

test('a host whose store was restored from a backup: what it does from then on is published', async () => {
  const stream = fakeStream([])
  const { places, file } = newPlaces()
  const viewer = openHistory(newPlaces().places)
  const around = { places, clock: virtualClock(), share: 'text' as const, complain: () => undefined }
  const publish = () => publishHistory(stream, 'red', around).close()
  const add = (turn: number): void => {
    const history = openHistory(places)
    history.add(stateAt(turn))
    history.close()
  }
  add(1)
  await publish()
  ask(file, `VACUUM INTO '${file}.backup'`)
  for (const turn of [2, 3]) add(turn)
  await publish()
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  renameSync(`${file}.backup`, file)
  await publish()
  for (const turn of [4, 5]) add(turn)
  await publish()
  await takeNew(stream, viewer)
  expect(viewer.entries().map(({ data }) => data)).toMatchObject([1, 2, 3, 4, 5].map(turn => ({ turn })))
})
