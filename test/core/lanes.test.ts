import { describe, expect, test } from 'vitest'
import {
  endLanes,
  expiry,
  heaviestLane,
  isApart,
  joined,
  startTurn,
  witnesses,
} from '../../src/core/evidence/lanes.ts'
import type { Lane, News, Source } from '../../src/core/evidence/signal.ts'
import { noTurns } from '../../src/core/evidence/turns.ts'
import { type Claim, newSession, type Session } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'

/** What is known of each lane, and which of them speaks for the session. Times are ms. */

const states = {
  working: { kind: 'working' },
  idle: { kind: 'idle' },
  turn: { kind: 'idle', after: 'turn' },
  interrupt: { kind: 'idle', after: 'interrupt' },
  limit: { kind: 'idle', after: 'limit' },
  permission: { kind: 'waiting', for: 'permission' },
  dialog: { kind: 'waiting', for: 'dialog' },
} as const satisfies Readonly<Record<string, State>>

const news = (lane: Lane, state: keyof typeof states, at: number, more: Partial<News> = {}): News => ({
  type: 'news',
  source: 'hook',
  what: 'event',
  lane,
  state: states[state],
  at,
  seen: at,
  ...more,
})

const lanesOf = (all: readonly News[]): Record<string, Claim> =>
  Object.fromEntries(all.map(one => [one.lane, { news: one, by: [one.source] }]))

const withLanes = (...all: readonly News[]): Session => ({ ...newSession(0), lanes: lanesOf(all) })

describe('the lane that speaks for a session', () => {
  const cases: readonly (readonly [string, readonly News[], Lane | undefined])[] = [
    ['none, where nothing is known', [], undefined],
    ['waiting before work', [news('main', 'working', 9), news('ask:main:a', 'permission', 5)], 'ask:main:a'],
    ['work before idleness', [news('main', 'idle', 9), news('bg:a', 'working', 5)], 'bg:a'],
    ['the turn’s own before another', [news('sub:a', 'working', 9), news('main', 'working', 5)], 'main'],
    [
      'the turn’s own, whichever comes first',
      [news('main', 'working', 5), news('sub:a', 'working', 9)],
      'main',
    ],
    ['the newest of others', [news('sub:a', 'working', 5), news('sub:b', 'working', 9)], 'sub:b'],
    [
      'the newest, whichever comes first',
      [news('sub:b', 'working', 9), news('sub:a', 'working', 5)],
      'sub:b',
    ],
    ['of equal ones the first by name', [news('sub:b', 'working', 5), news('sub:a', 'working', 5)], 'sub:a'],
    ['by name, whichever comes first', [news('sub:a', 'working', 5), news('sub:b', 'working', 5)], 'sub:a'],
    [
      'a dialog that is known before one that is not',
      [news('main', 'dialog', 9), news('ask:sub:a', 'permission', 5)],
      'ask:sub:a',
    ],
    ['whichever comes first', [news('ask:sub:a', 'permission', 5), news('main', 'dialog', 9)], 'ask:sub:a'],
    ['none that has expired', [news('bg:a', 'working', 5, { hold: 95 }), news('main', 'idle', 5)], 'main'],
    ['one that expires in a moment', [news('bg:a', 'working', 5, { hold: 96 })], 'bg:a'],
  ]
  test.each(cases)('%s', (_, all, lane) => expect(heaviestLane(withLanes(...all), 100).news?.lane).toBe(lane))

  test('tells the instant of the newest news of any, and when one expires', () => {
    const session = withLanes(
      news('main', 'working', 5, { hold: 500 }),
      news('bg:a', 'idle', 50, { hold: 300 }),
      news('sub:b', 'idle', 20),
      news('sub:gone', 'idle', 60, { hold: 10 }),
    )
    expect(heaviestLane(session, 100)).toMatchObject({ newest: 50, recheckAt: 350 })
    expect(heaviestLane(newSession(0), 100)).toEqual({ newest: -Infinity, recheckAt: Infinity })
  })

  test('a queued prompt is believed while a turn is open, and three seconds after', () => {
    const session = withLanes(news('queue', 'working', 5))
    const turns = { ...session.turns, count: 1, lastEnd: 1000 }
    const queued = session.lanes.queue?.news as News
    expect(expiry({ ...session, turns }, queued)).toBe(4000)
    expect(expiry({ ...session, turns: { ...turns, open: { startedAt: 0 } } }, queued)).toBe(Infinity)
    expect(expiry(session, news('main', 'working', 5))).toBe(Infinity)
    expect(expiry(session, news('main', 'working', 5, { hold: 7 }))).toBe(12)
  })
})

describe('lanes end', () => {
  const left = (change: (lanes: Session['lanes']) => Session['lanes']): readonly string[] => {
    const lanes = lanesOf([
      news('main', 'working', 5),
      news('queue', 'working', 5),
      news('ask:main:a', 'permission', 10),
      news('ask:sub:a', 'permission', 10),
      news('sub:a', 'working', 10),
      news('sub:ab', 'working', 20),
      news('bg:a', 'working', 10),
    ])
    return Object.keys(change(lanes))
  }
  const all = ['main', 'queue', 'ask:main:a', 'ask:sub:a', 'sub:a', 'sub:ab', 'bg:a']
  const but = (...gone: readonly string[]) => all.filter(lane => !gone.includes(lane))
  const at = (when: number, ends?: News['ends']) => news('main', 'idle', when, ends ? { ends } : {})

  test.each<[string, News, boolean, readonly string[]]>([
    ['by name', at(15, ['sub:a']), false, but('sub:a')],
    ['by the beginning of their names', at(25, ['sub:*']), false, but('sub:a', 'sub:ab')],
    ['unless they are newer', at(15, ['sub:*']), false, but('sub:a')],
    ['at the very instant as well', at(20, ['sub:*']), false, but('sub:a', 'sub:ab')],
    ['the turn’s dialogs with the turn', at(15), true, but('ask:main:a')],
    ['and not without', at(15), false, all],
    ['but not those that are newer', at(9), true, all],
  ])('%s', (_, one, turnEnded, lanes) =>
    expect(left(before => endLanes(before, one, turnEnded, noTurns))).toEqual(lanes),
  )

  test.each([
    [5, all],
    [6, but('queue')],
    [10, but('queue')],
    [11, but('queue', 'ask:main:a')],
  ])('of the old turn, as the new one begins at %i', (startedAt, lanes) =>
    expect(left(before => startTurn(before, startedAt))).toEqual(lanes),
  )
})

test.each([
  ['main', false],
  ['queue', false],
  ['ask:main:a', false],
  ['ask:sub:ask:main:', true],
  ['ask:bg:a', true],
  ['sub:a', true],
  ['bg:a', true],
])('%s lives apart from the turn: %s', (lane, apart) => expect(isApart(lane)).toBe(apart))

describe('who else said so', () => {
  const claim = (one: News, ...by: readonly Source[]): Claim => ({ news: one, by })
  const old = news('main', 'working', 5, { turn: 'a' })

  test('sources of the same kind and turn, in order, each once', () => {
    const by = witnesses({ ...old, source: 'transcript' }, claim(old, 'rows', 'hook', 'transcript'))
    expect(by).toEqual(['hook', 'rows', 'transcript'])
    expect(witnesses(old, claim(old, 'hook'))).toEqual(['hook'])
    expect(witnesses(old, undefined)).toEqual(['hook'])
  })

  test('none that said something else, or of another turn', () => {
    const next = { ...old, source: 'transcript' } as const
    expect(witnesses({ ...next, state: states.idle }, claim(old, 'hook'))).toEqual(['transcript'])
    expect(witnesses({ ...next, turn: 'b' }, claim(old, 'hook'))).toEqual(['transcript'])
  })

  test('a claim that nothing is added to stays the same', () => {
    const same = claim(old, 'hook')
    expect(joined(same, old)).toBe(same)
    expect(joined(same, { ...old, state: states.idle, source: 'rows' })).toBe(same)
    expect(joined(same, { ...old, source: 'rows' })).toEqual(claim(old, 'hook', 'rows'))
  })

  const ended = news('main', 'turn', 5)
  const second = (more: Partial<News>): News => ({ ...ended, source: 'transcript', at: 6, ...more })
  test.each<[string, Partial<News>, Partial<News>, Partial<News>]>([
    ['an interrupt tells more than an end', {}, { state: states.interrupt }, { state: states.interrupt }],
    [
      'an end without a reason is an end',
      { state: states.idle },
      { state: states.turn },
      { state: states.idle },
    ],
    [
      'a limit more than an interrupt',
      { state: states.interrupt },
      { state: states.limit },
      { state: states.limit },
    ],
    [
      'an interrupt not more than a limit',
      { state: states.limit },
      { state: states.interrupt },
      { state: states.limit },
    ],
    ['that it asks', {}, { asks: true }, { asks: true }],
    ['that it asks, though the second does not know', { asks: true }, {}, { asks: true }],
    ['that it does not ask, as the first said', { asks: false }, { asks: true }, { asks: false }],
    ['a limit', {}, { limit: {} }, { limit: {} }],
    ['when the limit ends', { limit: {} }, { limit: { until: 9 } }, { limit: { until: 9 } }],
    ['the first end of a limit', { limit: { until: 8 } }, { limit: { until: 9 } }, { limit: { until: 8 } }],
    ['a limit that the second knows nothing of', { limit: {} }, {}, { limit: {} }],
  ])('of one end: %s', (_, first, more, result) => {
    const { news: richer, by } = joined(claim({ ...ended, ...first }, 'hook'), second(more))
    expect(richer).toEqual({ ...ended, ...first, ...result })
    expect(by).toEqual(['hook', 'transcript'])
  })

  test('work is not made more telling by an end', () => {
    const working = news('main', 'working', 5)
    expect(joined(claim(working, 'hook'), second({ asks: true })).news).toBe(working)
    const asking = joined(claim(ended, 'hook'), { ...working, asks: true, limit: {} })
    expect(asking.news).toBe(ended)
  })
})
