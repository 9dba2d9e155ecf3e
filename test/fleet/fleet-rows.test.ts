/** The rows of several boxes: merged, bounded, each box's own; unknown where a box is away. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mostSessions } from '../../src/fleet/box-rows.ts'
import { fleetRows } from '../../src/fleet/fleet-rows.ts'
import type { LiveChange, LiveSession } from '../../src/sessions/session-source.ts'
import { finished, liveSession, news, prompt, sessionOf } from '../support/live.ts'

const idle = liveSession(sessionOf([prompt(1), news(2, finished)]))
const sessionAs = (id: string, more: Partial<LiveSession> = {}): LiveSession => ({ ...idle, id, ...more })
const snapshot = (...sessions: LiveSession[]): LiveChange => ({ type: 'snapshot', sessions })

const shown = (change: LiveChange) =>
  change.type === 'snapshot'
    ? change.sessions.map(({ id, session }) => `${id} ${session.verdict.state.kind}`)
    : []

describe('boxes', () => {
  test('are merged: each id ends with the box that said it, whatever it says', () => {
    const rows = fleetRows(100)
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
    const rows = fleetRows(100)
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
    const rows = fleetRows(100)
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

  test('that return lose their row; what is not there any more is gone', () => {
    const rows = fleetRows(100)
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
    const rows = fleetRows(100)
    const many = Array.from({ length: mostSessions + 50 }, (_, n) =>
      sessionAs(`id${n}`, { title: 'x'.repeat(1e5) }),
    )
    rows.take('a', snapshot(...many))
    rows.take('a', { type: 'changed', session: sessionAs('another') })
    const whole = rows.whole()
    expect(shown(whole)).toHaveLength(mostSessions)
    const longest = whole.type === 'snapshot' ? (whole.sessions[0]?.title?.length ?? 0) : 0
    expect(longest).toBeLessThan(20_000)
  })

  test('whose ids come and go is read as a whole, and what waits is bounded', () => {
    const rows = fleetRows(10)
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
      const rows = fleetRows(4)
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
      expect([...read].map(([key, kind]) => `${key} ${kind}`).toSorted()).toEqual(
        shown(rows.whole()).toSorted(),
      )
    }),
  )
})
