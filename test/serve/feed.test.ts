/** Events of the API: numbered thin rows, nothing lost or twice, a snapshot where too much was missed. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feedLog, openFeed, steadyEpoch } from '../../src/serve/feed.ts'
import { type StreamOptions, streamEvents } from '../../src/serve/streams/event-stream.ts'
import type { LiveChange, LiveSession } from '../../src/sessions/session-source.ts'
import { thinShape } from '../../src/shapes/session-shape.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { fakeLive, finished, news, prompt, withVerdict } from '../support/live.ts'

const changed = (id: string, turn: number): LiveChange => ({
  type: 'changed',
  session: withVerdict({ turn }, { id }),
})

describe('the log', () => {
  test('numbers what changed, and says nothing of what did not', () => {
    const log = feedLog()
    log.take({ type: 'snapshot', sessions: [] }, 0, 0)
    for (const change of [changed('a', 1), changed('a', 1), changed('b', 1), changed('a', 2)])
      log.take(change, 0, 0)
    log.take({ type: 'gone', id: 'b', why: 'it ended' }, 0, 0)
    log.take({ type: 'gone', id: 'b' }, 0, 0)
    expect(log.after(0)?.map(({ seq, kind, session }) => [seq, kind, session])).toEqual([
      [1, 'session.changed', 'a'],
      [2, 'session.changed', 'b'],
      [3, 'session.changed', 'a'],
      [4, 'session.gone', 'b'],
    ])
    expect(thinShape.parse(JSON.parse(log.rows('a')[0] ?? ''))).toMatchObject({ id: 'a', turn: 2 })
  })

  test('tells when a session is settled, once', () => {
    const log = feedLog()
    const at = (now: number, settledFrom?: number) =>
      log.take(
        { type: 'changed', session: withVerdict({}, settledFrom === undefined ? {} : { settledFrom }) },
        now,
        0,
      )
    at(0)
    at(1, 5)
    at(5, 5)
    at(6, 5)
    expect(log.after(0)?.map(({ kind, data }) => [kind, JSON.parse(data).settled])).toEqual([
      ['session.changed', false],
      ['session.changed', true],
      ['session.settled', true],
    ])
  })

  test('a snapshot tells of each session that is no more', () => {
    const log = feedLog()
    for (const change of [changed('a', 1), changed('b', 1)]) log.take(change, 0, 0)
    log.take({ type: 'snapshot', sessions: [withVerdict({ turn: 1 }, { id: 'b' })] }, 0, 0)
    expect(log.after(2)?.map(({ kind, session }) => [kind, session])).toEqual([['session.gone', 'a']])
  })

  test('leaves out a session that can’t be shown, says so once, and tells of all others', () => {
    const complaints: string[] = []
    const log = feedLog(undefined, sentence => complaints.push(sentence))
    const broken = { ...withVerdict({ turn: 2 }, { id: 'a' }), session: {} } as LiveSession
    log.take(changed('a', 1), 0, 0)
    for (const session of [broken, broken]) log.take({ type: 'changed', session }, 0, 0)
    log.take({ type: 'snapshot', sessions: [broken, withVerdict({}, { id: 'b' })] }, 0, 0)
    expect(log.after(0)?.map(({ kind, session }) => [kind, session])).toEqual([
      ['session.changed', 'a'],
      ['session.gone', 'a'],
      ['session.changed', 'b'],
    ])
    expect(complaints).toEqual([expect.stringContaining('leaves out the session a,')])
  })

  test('gives all after a number that it keeps, and undefined for any other', () => {
    const numbers = fc.record({
      count: fc.nat(60),
      most: fc.integer({ min: 1, max: 20 }),
      asked: fc.integer({ min: -5, max: 70 }),
    })
    fc.assert(
      fc.property(numbers, ({ count, most, asked }) => {
        const log = feedLog({ events: most, chars: 1e9 })
        for (let turn = 1; turn <= count; turn++) log.take(changed('a', turn), 0, 0)
        const after = log.after(asked)
        if (asked > count || asked < 0) {
          expect(after).toBeUndefined()
          return
        }
        const missed = Array.from({ length: count - asked }, (_, at) => asked + at + 1)
        if (after) expect(after.map(({ seq }) => seq)).toEqual(missed)
        else expect(missed.length).toBeGreaterThan(most / 2 - 1)
      }),
    )
  })
})

test('the log gives a long past in parts, the same list to all who have come as far', () => {
  const log = feedLog()
  for (let turn = 1; turn <= 2500; turn++) log.take(changed('a', turn), 0, 0)
  const first = log.after(0)
  expect(log.after(0)).toBe(first)
  expect(first?.length).toBeLessThan(2500)
  log.take(changed('a', 1), 0, 0)
  expect(log.after(2500)?.map(({ seq }) => seq)).toEqual([2501])
})

test('a client that comes back to many events takes them in pieces, and misses none', async () => {
  const { live, clock } = fakeLive()
  const feed = await openFeed(live, clock)
  const log = feedLog()
  const last = 3000
  for (let turn = 1; turn <= last; turn++) log.take(changed(turn === last ? 'b' : 'a', turn), 0, 0)
  const full = { ...feed, log }
  const all = client(full, { lastId: `${feed.epoch}-0` })
  const events = await all.has(last)
  expect(events.map(({ id }) => Number(id?.split('-')[1]))).toEqual(
    Array.from({ length: last }, (_, at) => at + 1),
  )
  expect(Math.max(...all.lengths())).toBeLessThan(100_000)
  // What it does not want is passed over at once, not at the next beat.
  const few = client(full, { lastId: `${feed.epoch}-0`, session: 'b' })
  expect((await few.has(1)).map(({ id }) => id)).toEqual([`${feed.epoch}-${last}`])
  for (const one of [all, few]) {
    one.stop()
    await one.ended
  }
  await feed.close()
})

test('the epoch moves with a clock that is set, and not by itself', () => {
  const clock = { now: () => 0, wall: () => 1000 }
  const epoch = steadyEpoch(clock)
  clock.wall = () => 1003
  expect(epoch()).toBe(1000)
  clock.wall = () => 90_000
  expect(epoch()).toBe(90_000)
})

/** A client: what it was sent so far, and its end. */
function client(feed: Awaited<ReturnType<typeof openFeed>>, options: Partial<StreamOptions> = {}) {
  const stop = new AbortController()
  const texts: string[] = []
  let heard = Promise.withResolvers<void>()
  const write = async (piece: string | Uint8Array) => {
    texts.push(typeof piece === 'string' ? piece : new TextDecoder().decode(piece))
    heard.resolve()
    heard = Promise.withResolvers()
  }
  const all = { kinds: [], isAllowed: () => true, wall: () => 0, beatMs: 5000, ...options }
  const ended = streamEvents(feed, all, { write, signal: stop.signal })
  const events = () =>
    texts
      .join('')
      .split('\n\n')
      .filter(Boolean)
      .map(
        event =>
          Object.fromEntries(event.split('\n').map(line => line.split(/: (.*)/s, 2))) as Record<
            string,
            string
          >,
      )
  return {
    events,
    lengths: () => texts.map(({ length }) => length),
    ended,
    stop: () => stop.abort(),
    /** Resolves once so many events have come. */
    async has(count: number) {
      while (events().length < count) await heard.promise
      return events()
    },
  }
}

describe('a stream', () => {
  test('begins with a snapshot, then has each change; a client that returns gets what it missed', async () => {
    const { live, file, clock } = fakeLive()
    const feed = await openFeed(live, clock)
    const first = client(feed)
    await first.has(1)
    file('a', prompt(1))
    const events = await first.has(2)
    expect(events.map(({ event }) => event)).toEqual(['snapshot', 'session.changed'])
    first.stop()
    await first.ended
    file('a', news(2, finished))
    const second = client(feed, { lastId: events.at(-1)?.id })
    const [missed] = await second.has(1)
    expect(missed).toMatchObject({ event: 'session.changed' })
    expect(JSON.parse(missed?.data ?? '')).toMatchObject({ id: 'a', state: 'idle' })
    second.stop()
    await second.ended
    await feed.close()
  })

  test.each(['0000-1', 'nonsense', '', '-'])('whose last id is "%s" begins with a snapshot', async lastId => {
    const { live, clock } = fakeLive()
    const feed = await openFeed(live, clock)
    const one = client(feed, { lastId })
    expect((await one.has(1))[0]).toMatchObject({ event: 'snapshot' })
    await feed.close()
    await one.ended
  })

  test('has only the session and the kinds that were asked for', async () => {
    const { live, file, forget, clock } = fakeLive()
    const feed = await openFeed(live, clock)
    const [one, gone] = [client(feed, { session: 'b' }), client(feed, { kinds: ['session.gone'] })]
    await Promise.all([one.has(1), gone.has(1)])
    file('a', prompt(1))
    file('b', prompt(1))
    expect((await one.has(2)).slice(1).map(({ data }) => JSON.parse(data ?? '').id)).toEqual(['b'])
    forget('a')
    expect((await gone.has(2))[1]).toMatchObject({ event: 'session.gone' })
    await feed.close()
    await Promise.all([one.ended, gone.ended])
  })

  test('has a session that becomes settled by time alone', async () => {
    const { live, tell, clock } = fakeLive()
    const feed = await openFeed(live, clock)
    const one = client(feed, { kinds: ['session.settled'] })
    await one.has(1)
    tell({ type: 'changed', session: withVerdict({}, { settledFrom: 2000 }) })
    await new Promise(setImmediate)
    clock.advance(2000)
    expect((await one.has(2))[1]).toMatchObject({ event: 'session.settled' })
    await feed.close()
    await one.ended
  })

  test('beats as often as its client asks for, though nothing changes', async () => {
    const { live, clock } = fakeLive()
    const feed = await openFeed(live, clock)
    const [often, seldom] = [client(feed, { beatMs: 5 }), client(feed)]
    const [, ...beats] = await often.has(4)
    expect(beats.map(({ event, id, data }) => [event, id, data])).toEqual(
      Array(3).fill(['beat', undefined, '{"at":"1970-01-01T00:00:00.000Z"}']),
    )
    expect(seldom.events()).toHaveLength(1)
    await feed.close()
    await Promise.all([often.ended, seldom.ended])
  })

  test('has notices without a number, each of its session and kind; nobody who is away gets them later', async () => {
    const { live, file, clock } = fakeLive()
    const feed = await openFeed(live, clock)
    const words = { title: 'claude: waiting', text: 'one\ntwo', urgent: false, withdrawn: false, count: 1 }
    const notice = (id: string, session?: string) => ({
      ...{ id, at: '2026-11-29T10:00:00.000Z', ...words, ...(session ? { session } : {}) },
    })
    expect(feed.show(notice('n0', 'a'))).toBe(false)
    const [all, own] = [client(feed), client(feed, { session: 'b', kinds: ['notice'] })]
    const other = client(feed, { kinds: ['session.gone'] })
    await Promise.all([all.has(1), own.has(1), other.has(1)])
    file('a', prompt(1))
    await all.has(2)
    expect([feed.show(notice('n1', 'a')), feed.show(notice('n2'))]).toEqual([true, true])
    const events = await all.has(4)
    expect(events.slice(2).map(({ event, id, data }) => [event, id, JSON.parse(data ?? '')])).toEqual([
      ['notice', undefined, notice('n1', 'a')],
      ['notice', undefined, notice('n2')],
    ])
    feed.show(notice('n3', 'b'))
    expect((await own.has(2))[1]?.data).toContain('"n3"')
    // Where it stopped has no notice in it.
    const back = client(feed, { lastId: events[1]?.id })
    file('a', news(2, finished))
    expect((await back.has(1))[0]).toMatchObject({ event: 'session.changed' })
    await feed.close()
    await Promise.all([all, own, other, back].map(({ ended }) => ended))
    expect([own, other].map(one => one.events().length)).toEqual([2, 1])
  })

  test('whose client takes nothing gets no more notices than wait for it', async () => {
    const { live, clock } = fakeLive()
    const feed = await openFeed(live, clock)
    const stop = new AbortController()
    const all = { kinds: [], isAllowed: () => true, wall: () => 0, beatMs: 5000 }
    const write = () => new Promise<void>(resolve => stop.signal.addEventListener('abort', () => resolve()))
    const ended = streamEvents(feed, all, { write, signal: stop.signal })
    const words = { at: '', title: '', text: '', urgent: false, withdrawn: false, count: 1 }
    const shown = Array.from({ length: 150 }, (_, n) => feed.show({ id: `n${n}`, ...words }))
    expect(shown.filter(Boolean)).toHaveLength(100)
    stop.abort()
    await ended
    await feed.close()
  })

  test('of a token that is not valid any more ends', async () => {
    const { live, file, clock } = fakeLive()
    const feed = await openFeed(live, clock)
    let isAllowed = true
    const one = client(feed, { isAllowed: () => isAllowed })
    await one.has(1)
    isAllowed = false
    file('a', prompt(1))
    await one.ended
    expect(one.events()).toHaveLength(1)
    await feed.close()
  })
})

test('after the wall clock was set, no time of the old one is sent', async () => {
  let leap = 0
  const real = virtualClock(1_800_000_000_000)
  const clock = { ...real, wall: () => real.wall() + leap }
  const { live, file } = fakeLive(clock)
  const feed = await openFeed(live, clock)
  file('a', prompt(1))
  const before = client(feed)
  await before.has(2)
  leap = 86_400_000
  const after = client(feed, { lastId: before.events().at(-1)?.id ?? '' })
  const [event] = await after.has(1)
  expect([event?.event, event?.data?.slice(0, 400)]).toEqual([
    'session.changed',
    expect.stringContaining('"since":"2027-01-16T08:00:00'),
  ])
  // Who has missed something gets no event of before, and neither does who is new.
  const [late, fresh] = [client(feed, { lastId: `${feed.epoch}-0` }), client(feed)]
  for (const one of [late, fresh])
    expect((await one.has(1))[0]).toMatchObject({
      event: 'snapshot',
      data: expect.stringContaining('"since":"2027-01-16T08:00:00'),
    })
  for (const one of [before, after, late, fresh]) one.stop()
  await feed.close()
})
