/** The rows of several boxes: merged, bounded, each box's own; unknown where a box is away. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stateWords } from '../../src/core/explain/need.ts'
import { boxId, mostSessions, onBox } from '../../src/fleet/box-rows.ts'
import { fleetRows } from '../../src/fleet/fleet-rows.ts'
import { changeMessage, readChangeThere } from '../../src/host/messages.ts'
import { jsonExplanation, jsonRow, thinRow } from '../../src/sessions/session-json.ts'
import type { LiveChange, LiveSession } from '../../src/sessions/session-source.ts'
import { sessionShape, thinShape } from '../../src/shapes/session-shape.ts'
import { isShaped, knownPart } from '../../src/shapes/wire.ts'
import {
  background,
  exit,
  finished,
  liveSession,
  news,
  permission,
  prompt,
  sessionOf,
  status,
} from '../support/live.ts'

const idle = liveSession(sessionOf([prompt(1), news(2, finished)]))
const sessionAs = (id: string, more: Partial<LiveSession> = {}): LiveSession => ({ ...idle, id, ...more })
const snapshot = (...sessions: LiveSession[]): LiveChange => ({ type: 'snapshot', sessions })

const shown = (change: LiveChange) =>
  change.type === 'snapshot'
    ? change.sessions.map(({ id, session }) => `${id} ${session.verdict.state.kind}`)
    : []

describe('boxes', () => {
  test('are merged: each id ends with the box that said it, whatever it says', () => {
    const rows = fleetRows(() => 100)
    rows.take(
      'a',
      snapshot(sessionAs('11111111', { host: 'b', ancestors: ['22222222', 'x@b'], stands: 'y@b' })),
    )
    rows.take('b', snapshot(sessionAs('11111111')))
    const whole = rows.whole()
    expect(shown(whole)).toEqual(['11111111@a idle', '11111111@b idle'])
    const [first] = whole.type === 'snapshot' ? whole.sessions : []
    expect(first).toMatchObject({ host: 'a', ancestors: ['22222222@a'] })
    expect(first).not.toHaveProperty('stands')
  })

  test('can write no row of another one', () => {
    const rows = fleetRows(() => 100)
    rows.take('b', snapshot(sessionAs('11111111')))
    rows.whole()
    rows.take('a', snapshot(sessionAs('11111111@b'), sessionAs('@b'), sessionAs('x\u001b[2J'), sessionAs('')))
    rows.take('a', { type: 'changed', session: sessionAs('11111111@b') })
    rows.take('a', { type: 'gone', id: '11111111@b' })
    rows.take('a', { type: 'gone', id: '11111111' })
    expect(rows.next()).toBe(undefined)
    expect(shown(rows.whole())).toEqual(['11111111@b idle'])
  })

  test('that can’t be asked are unknown since when they were last heard, and never idle', () => {
    const rows = fleetRows(() => 100)
    rows.take('a', snapshot(sessionAs('11111111', { settledFrom: 5 })))
    rows.take('b', snapshot(sessionAs('22222222')))
    rows.lose('a', 'no answer', 40)
    rows.lose('a', 'refused', 90)
    const whole = rows.whole()
    expect(shown(whole)).toEqual(['11111111@a unknown', '22222222@b idle', '@a unknown'])
    const [away, , box] = whole.type === 'snapshot' ? whole.sessions : []
    expect(away?.session.verdict).toMatchObject({ since: 40, turnOver: false, turn: 1 })
    expect(away?.session.verdict.because[0]?.what).toBe('a is away: no answer')
    expect(away).not.toHaveProperty('settledFrom')
    expect(box).toMatchObject({ note: 'refused', session: { verdict: { since: 40 } } })
  })

  test('that are lost again have no session that is known; a change before they return is not shown', () => {
    const rows = fleetRows(() => 100)
    rows.take('a', snapshot(sessionAs('11111111')))
    rows.lose('a', 'no answer', 40)
    rows.take('a', { type: 'changed', session: sessionAs('11111111') })
    rows.take('a', { type: 'changed', session: sessionAs('22222222') })
    rows.take('a', { type: 'gone', id: '11111111' })
    rows.lose('a', 'refused', 90)
    expect(shown(rows.whole())).toEqual(['11111111@a unknown', '@a unknown'])
  })

  test('that return lose their row; what is not there any more is gone', () => {
    const rows = fleetRows(() => 100)
    rows.take('a', snapshot(sessionAs('11111111'), sessionAs('22222222')))
    rows.lose('a', 'no answer', 40)
    rows.whole()
    rows.take('a', snapshot(sessionAs('11111111')))
    expect([rows.next(), rows.next(), rows.next(), rows.next()]).toMatchObject([
      { type: 'gone', id: '@a' },
      { type: 'gone', id: '22222222@a', why: 'it ended while its box was away' },
      { type: 'changed', session: { id: '11111111@a', session: { verdict: { state: { kind: 'idle' } } } } },
      undefined,
    ])
  })
})

describe('a box without bounds', () => {
  test('has so many rows, and texts of so many characters', () => {
    const rows = fleetRows(() => 100)
    const many = Array.from({ length: mostSessions + 50 }, (_, n) => sessionAs(`id${n}`))
    rows.take('a', snapshot(sessionAs('long', { title: 'x'.repeat(1e5) }), ...many))
    rows.take('a', { type: 'changed', session: sessionAs('another') })
    const whole = rows.whole()
    expect(shown(whole)).toHaveLength(mostSessions)
    const longest = whole.type === 'snapshot' ? (whole.sessions[0]?.title?.length ?? 0) : 0
    expect(longest).toBeLessThan(20_000)
  })

  const large = sessionAs('large', { ancestors: Array.from({ length: 20_000 }, (_, n) => `id${n}`) })
  const long = (id: string) => sessionAs(id, { title: 'x'.repeat(16_000), note: 'x'.repeat(16_000) })

  test('has none that is too large with the shortest texts: what it was before is gone', () => {
    const rows = fleetRows(() => 100)
    rows.take('a', snapshot(large, sessionAs('other')))
    expect(shown(rows.whole())).toEqual(['other@a idle'])
    rows.take('a', snapshot(sessionAs('large')))
    rows.whole()
    rows.take('a', { type: 'changed', session: large })
    expect(rows.next()).toMatchObject({ type: 'gone', id: 'large@a', why: 'it is too large to be shown' })
  })

  test('has shorter texts where a session has many', () => {
    const text = 'x'.repeat(16_000)
    const titles = { name: text, title: text, note: text, place: text, window: text, cwd: text }
    const live = onBox(sessionAs('many', titles), 'a')?.live
    expect(live?.title).toHaveLength(1025)
  })

  test('has its whole address however short its texts', () => {
    const tasks = Array.from({ length: 100 }, () => ({ kind: 'task' as const, what: 'x'.repeat(1000) }))
    const session = { ...idle.session, facts: { background: tasks } }
    const [id, box] = ['i'.repeat(40), 'b'.repeat(100)]
    const live = onBox(sessionAs(id, { session }), box)?.live
    expect(live).toMatchObject({ id: `${id}@${box}`, host: box })
    expect(live?.session.facts.background?.[0]?.what).toHaveLength(129)
  })

  test('has as many rows as have room together, the first of them, however they come', () => {
    const [all, rows] = [fleetRows(() => 1000), fleetRows(() => 1000)]
    const many = Array.from({ length: 300 }, (_, n) => long(`id${n}`))
    all.take('a', snapshot(...many, sessionAs('small')))
    for (const session of many) rows.take('a', { type: 'changed', session })
    const whole = all.whole()
    expect(JSON.stringify(whole).length).toBeLessThan(4_100_000)
    expect(shown(whole).length).toBeGreaterThan(100)
    expect(shown(whole)).toContain('small@a idle')
    expect(shown(rows.whole())).toEqual(shown(whole).filter(row => row !== 'small@a idle'))
    rows.take('a', { type: 'gone', id: 'id0' })
    rows.take('a', { type: 'changed', session: long('id299') })
    expect(shown(rows.whole())).toContain('id299@a idle')
  })

  test('whose ids come and go is read as a whole, and what waits is bounded', () => {
    const rows = fleetRows(() => 10)
    rows.whole()
    for (let n = 0; n < 100; n++) {
      rows.take('a', { type: 'changed', session: sessionAs(`id${n}`) })
      rows.take('a', { type: 'gone', id: `id${n}` })
    }
    expect(rows.next()).toBe('whole')
    expect(shown(rows.whole())).toEqual([])
    expect(rows.next()).toBe(undefined)
  })
})

test('whoever reads the changes one by one comes to the same rows', () => {
  const box = fc.constantFrom('a', 'b')
  const id = fc.constantFrom('11111111', '22222222', '33333333')
  const event = fc.oneof(
    fc.record({ type: fc.constant('changed' as const), box, id }),
    fc.record({ type: fc.constant('gone' as const), box, id }),
    fc.record({ type: fc.constant('snapshot' as const), box, ids: fc.uniqueArray(id) }),
    fc.record({ type: fc.constant('lose' as const), box }),
    fc.constant({ type: 'read' as const }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), events => {
      const rows = fleetRows(() => 4)
      const read = new Map<string, string>()
      const readAll = (): void => {
        for (let change = rows.next(); change; change = rows.next()) {
          if (change === 'whole') {
            read.clear()
            const whole = rows.whole()
            for (const live of whole.type === 'snapshot' ? whole.sessions : [])
              read.set(live.id, live.session.verdict.state.kind)
          } else if (change.type === 'gone') read.delete(change.id)
          else read.set(change.session.id, change.session.session.verdict.state.kind)
        }
      }
      for (const one of events) {
        if (one.type === 'changed') rows.take(one.box, { type: 'changed', session: sessionAs(one.id) })
        else if (one.type === 'gone') rows.take(one.box, one)
        else if (one.type === 'snapshot')
          rows.take(one.box, snapshot(...one.ids.map(each => sessionAs(each))))
        else if (one.type === 'lose') rows.lose(one.box, 'away', 1)
        else readAll()
      }
      readAll()
      for (const name of ['a', 'b'])
        if (read.has(boxId(name)))
          expect([...read].filter(([key, kind]) => key.endsWith(`@${name}`) && kind !== 'unknown')).toEqual(
            [],
          )
      expect([...read].map(([key, kind]) => `${key} ${kind}`).toSorted()).toEqual(
        shown(rows.whole()).toSorted(),
      )
    }),
  )
})

/** A part of it, or a field more, is that value. */
function withPart(value: unknown, way: readonly number[], part: unknown): unknown {
  const [first, ...rest] = way
  if (first === undefined || typeof value !== 'object' || value === null) return part
  const fields = [...Object.entries(value), ['later', undefined] as const]
  const [name, field] = fields[first % fields.length] as [string, unknown]
  const other = withPart(field, rest, part)
  return Array.isArray(value) ? value.toSpliced(Number(name), 1, other) : { ...value, [name]: other }
}

test('whatever a box sends, each row of it has the shape and can be shown everywhere', () => {
  const signs = [prompt(1), status(2, background), news(3, permission, { lane: 'ask:main:1' }), exit(9)]
  const sent = fc.constantFrom<LiveChange>(
    snapshot(idle, sessionAs('22222222')),
    ...signs.map((_, n): LiveChange => {
      const session = liveSession(sessionOf(signs.slice(0, n + 1)), { ancestors: ['1'], settledFrom: 5 })
      return { type: 'changed', session }
    }),
  )
  const words = ['toString', '__proto__', 'constructor', 'idle', 'waiting', 'likely_stuck', 'x'.repeat(1e5)]
  const crowd = JSON.parse(`{${Array.from({ length: 1100 }, (_, n) => `"a${n}":1`)},"__proto__":{"a":1}}`)
  const part = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(...words, crowd, [crowd], -1, 1e300, null, '-271821-04-20T00:00:00.000Z'),
  )
  const change = fc.record({ way: fc.array(fc.nat(30), { minLength: 1, maxLength: 8 }), part })
  let read = 0
  fc.assert(
    fc.property(sent, fc.array(change, { maxLength: 4 }), fc.integer(), (first, changes, by) => {
      const message: unknown = JSON.parse(JSON.stringify(changeMessage(first, 1_800_000_000_000)))
      const told = readChangeThere(
        JSON.parse(JSON.stringify(changes.reduce((one, { way, part }) => withPart(one, way, part), message))),
        by,
      )
      const rows = fleetRows(() => 100)
      if (told) rows.take('a', told)
      const whole = rows.whole()
      for (const live of whole.type === 'snapshot' ? whole.sessions : []) {
        read++
        expect(isShaped('liveSession', live) && live.id.endsWith('@a')).toBe(true)
        expect(knownPart('liveSession', live)).toEqual(live)
        expect(JSON.stringify(live).length).toBeLessThan(70_000)
        thinShape.parse(thinRow(live, 10, 0))
        sessionShape.parse(jsonRow(live, 10, 0))
        jsonExplanation(live.session, 10, 0)
        stateWords(live.session.verdict.state, 'healthy', 'look')
      }
    }),
    { numRuns: 1000 },
  )
  expect(read).toBeGreaterThan(100)
})
