/** Boxes that are followed: what one of them does, or what fails here, changes rows of that one alone. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAsyncQueue } from '../../src/core/async-queue.ts'
import { LullError } from '../../src/core/lull-error.ts'
import { followBoxes } from '../../src/fleet/follow-boxes.ts'
import type { OpenBox } from '../../src/fleet/open-box.ts'
import type { LiveChange, LiveSession } from '../../src/sessions/session-source.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { finished, liveSession, news, prompt, sessionOf, settle } from '../support/live.ts'

const idle = liveSession(sessionOf([prompt(1), news(2, finished)]))
const sessionsOf = (count: number, title: string): LiveChange => ({
  type: 'snapshot',
  sessions: Array.from({ length: count }, (_, n) => ({ ...idle, id: `id${n}`, title })),
})

/** @param follow what following it comes to, each time; the changes that are pushed where it returns nothing */
function fakeBox(
  name: string,
  follow: (time: number) => void = () => undefined,
  had: readonly LiveSession[] = [],
) {
  const sent = createAsyncQueue<LiveChange>()
  let [isUp, times, drops] = [false, 0, 0]
  const box = {
    name,
    link: {
      async open() {
        isUp = true
      },
      isUp: () => isUp,
      whyDown: async () => 'down',
      drop() {
        isUp = false
        drops++
      },
    },
    live: {
      async follow() {
        follow(times++)
        return { changes: sent.values }
      },
    },
    onUp: () => () => undefined,
    heardAt: () => 1,
    had: async () => had,
  }
  return { box: box as unknown as OpenBox, push: sent.push, drops: () => drops }
}

function followed(...boxes: readonly ReturnType<typeof fakeBox>[]) {
  const clock = virtualClock()
  const all = new Map(boxes.map(({ box }) => [box.name, box]))
  let onBox: (box: OpenBox, isThere: boolean) => void = () => undefined
  const open = {
    boxes: all,
    onBox(call: typeof onBox) {
      onBox = call
      return () => undefined
    },
  }
  const changes = followBoxes(open, clock)
  onTestFinished(() => changes.close())
  const rows = new Map<string, LiveSession>()
  let ended: unknown
  void (async () => {
    for (let change = await changes.next(); change; change = await changes.next()) {
      if (change.type === 'snapshot') for (const live of change.sessions) rows.set(live.id, live)
      else if (change.type === 'changed') rows.set(change.session.id, change.session)
      else rows.delete(change.id)
    }
  })().catch((error: unknown) => {
    ended = error
  })
  return {
    ended: () => ended,
    joins: ({ box }: ReturnType<typeof fakeBox>) => onBox(box, true),
    leaves: ({ box }: ReturnType<typeof fakeBox>) => onBox(box, false),
    title: () => rows.get('id0@a')?.title,
    note: (box: string) => rows.get(`@${box}`)?.note,
    kinds: () => [...rows.values()].map(({ id, session }) => `${id} ${session.verdict.state.kind}`),
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 100) {
        await settle()
        clock.advance(100)
      }
      await settle()
    },
  }
}

const fault = (): never => {
  throw new TypeError('x is undefined')
}

describe('a box', () => {
  test('that hangs after its connection stands is dropped, and connected to again', async () => {
    const a = fakeBox('a', time => {
      if (time === 0) throw new LullError('HOST_GONE', 'no greeting came')
    })
    const fleet = followed(a)
    await fleet.pass(100)
    expect(a.drops()).toBe(1)
    a.push(sessionsOf(1, 'one'))
    await fleet.pass(2000)
    expect(fleet.kinds()).toEqual(['id0@a idle'])
    expect(a.drops()).toBe(1)
  })

  test('that was away before: the sessions that it had are unknown, until it tells them', async () => {
    const isAway = (time: number): void => {
      if (time === 0) throw new LullError('HOST_GONE', 'not connected')
    }
    const a = fakeBox('a', isAway, [
      { ...idle, id: 'id0' },
      { ...idle, id: 'id7' },
    ])
    const fleet = followed(a)
    await fleet.pass(100)
    expect(fleet.kinds().toSorted()).toEqual(['@a unknown', 'id0@a unknown', 'id7@a unknown'])
    a.push(sessionsOf(1, 'one'))
    await fleet.pass(2000)
    expect(fleet.kinds()).toEqual(['id0@a idle'])
  })

  test('that tells a change before its sessions shows none', async () => {
    const a = fakeBox('a')
    const fleet = followed(a)
    a.push({ type: 'changed', session: idle })
    await fleet.pass(200)
    expect(fleet.kinds()).toEqual(['@a unknown'])
    expect(fleet.note('a')).toContain('does not tell its sessions first')
  })

  test('that sends snapshots without end is read at the pace of their sessions', async () => {
    const a = fakeBox('a')
    const fleet = followed(a)
    for (const title of ['one', 'two', 'three']) a.push(sessionsOf(100, title))
    await fleet.pass(1900)
    expect(fleet.title()).toBe('one')
    await fleet.pass(200)
    expect(fleet.title()).toBe('two')
    await fleet.pass(1800)
    expect(fleet.title()).toBe('two')
    await fleet.pass(200)
    expect(fleet.title()).toBe('three')
  })
})

describe('a box of a fleet', () => {
  test('that joins while others are followed is shown', async () => {
    const [a, b] = [fakeBox('a'), fakeBox('b')]
    const fleet = followed(a)
    a.push(sessionsOf(1, 'one'))
    await fleet.pass(200)
    fleet.joins(b)
    b.push(sessionsOf(1, 'two'))
    await fleet.pass(200)
    expect(fleet.kinds()).toEqual(['id0@a idle', 'id0@b idle'])
  })

  test('that is forgotten goes, whatever it still sends, and is shown again when it joins again', async () => {
    const [a, b] = [fakeBox('a'), fakeBox('b')]
    const fleet = followed(a, b)
    for (const box of [a, b]) box.push(sessionsOf(2, 'one'))
    await fleet.pass(200)
    b.push({ type: 'changed', session: { ...idle, id: 'id5' } })
    fleet.leaves(b)
    b.push(sessionsOf(3, 'two'))
    await fleet.pass(60_000)
    expect(fleet.kinds()).toEqual(['id0@a idle', 'id1@a idle'])
    const again = fakeBox('b')
    fleet.joins(again)
    again.push(sessionsOf(1, 'three'))
    await fleet.pass(200)
    expect(fleet.kinds()).toEqual(['id0@a idle', 'id1@a idle', 'id0@b idle'])
  })

  test('that joins the first, where there was none, is shown', async () => {
    const fleet = followed()
    await fleet.pass(200)
    const a = fakeBox('a')
    fleet.joins(a)
    a.push(sessionsOf(1, 'one'))
    await fleet.pass(200)
    expect(fleet.kinds()).toEqual(['id0@a idle'])
  })
})

describe('a fault of lull', () => {
  test('with one box is a row of that box, and all others are followed on', async () => {
    const [a, b] = [fakeBox('a', fault), fakeBox('b')]
    const fleet = followed(a, b)
    b.push(sessionsOf(1, 'one'))
    await fleet.pass(200)
    b.push({ type: 'changed', session: { ...idle, id: 'id1' } })
    await fleet.pass(200)
    expect(fleet.kinds().toSorted()).toEqual(['@a unknown', 'id0@b idle', 'id1@b idle'])
    expect(fleet.note('a')).toContain('x is undefined')
  })

  test('that ends the following leaves nothing that is known', async () => {
    const [a, b] = [fakeBox('a', fault), fakeBox('b')]
    Object.assign(a.box, { onUp: fault })
    const fleet = followed(a, b)
    b.push(sessionsOf(1, 'one'))
    await fleet.pass(200)
    expect(fleet.kinds().filter(row => !row.endsWith('unknown'))).toEqual([])
    expect(fleet.ended()).toBeInstanceOf(TypeError)
  })
})
