import { describe, expect, test } from 'vitest'
import { advance } from '../../src/core/advance.ts'
import type { HealthSignal, Lane, News, Signal } from '../../src/core/evidence/signal.ts'
import { newSession, type Session } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'

/** What is kept of a session is bounded, and each bound on both of its sides. Times are ms. */

const news = (at: number, lane: Lane, more: Partial<News> = {}): News => ({
  type: 'news',
  source: 'hook',
  what: 'event',
  lane,
  state: { kind: 'working' },
  at,
  seen: at,
  ...more,
})

const fed = (signals: readonly Signal[], from = newSession(0)): Session =>
  signals.reduce(
    (session, signal) => advance(session, 'seen' in signal ? signal.seen : signal.at, signal),
    from,
  )

const tasks = (count: number, more: Partial<News> = {}): readonly News[] =>
  Array.from({ length: count }, (_, n) => news(n + 2, `bg:${n}`, more))

describe('lanes', () => {
  const start = news(1, 'main', { starts: true })
  const lanesOf = (signals: readonly Signal[]): readonly string[] => Object.keys(fed(signals).lanes)

  test('64 are kept', () => expect(lanesOf([start, ...tasks(63)])).toHaveLength(64))

  test('of more the oldest work goes, and the turn’s own stays though it is older', () => {
    const lanes = lanesOf([start, ...tasks(64)])
    expect(lanes).toHaveLength(64)
    expect(lanes).toContain('main')
    expect(lanes).not.toContain('bg:0')
    expect(lanes).toContain('bg:1')
    expect(lanes).toContain('bg:63')
  })

  test('what weighs least goes first, whatever its age', () => {
    const idle: State = { kind: 'idle' }
    const dialog: State = { kind: 'waiting', for: 'permission' }
    const signals = [
      start,
      news(2, 'ask:bg:1', { state: dialog }),
      ...tasks(62),
      news(90, 'sub:quiet', { state: idle }),
    ]
    const lanes = lanesOf(signals)
    expect(lanes).not.toContain('sub:quiet')
    expect(lanes).toContain('ask:bg:1')
    expect(lanes).toContain('bg:0')
    const more = lanesOf([...signals, news(92, 'sub:more')])
    expect(more).not.toContain('bg:0')
    expect(more).toContain('ask:bg:1')
  })

  test('what has expired goes before all others, the turn’s own excepted', () => {
    const lanes = lanesOf([
      news(1, 'main', { starts: true, hold: 10 }),
      ...tasks(61),
      news(70, 'sub:short', { hold: 30 }),
      news(71, 'sub:long', { hold: 31 }),
      news(100, 'sub:held', { hold: 1000 }),
    ])
    expect(lanes).toHaveLength(64)
    expect(lanes).not.toContain('sub:short')
    expect(lanes).toEqual(expect.arrayContaining(['main', 'bg:0', 'sub:long', 'sub:held']))
  })

  test('there is no such thing as an expired one below the bound', () => {
    expect(lanesOf([start, news(2, 'sub:short', { hold: 1 }), news(90, 'sub:next')])).toContain('sub:short')
  })
})

describe('reports of health', () => {
  const report = (n: number, seen = n): HealthSignal => ({
    type: 'health',
    source: 'process',
    owner: `pid:${String(n).padStart(2, '0')}`,
    what: 'it reads',
    health: { level: 'suspicious', certainty: 'low' },
    since: 0,
    seen,
    alive: true,
  })
  const reports = (count: number) => Array.from({ length: count }, (_, n) => report(n + 1))
  const ownersOf = (signals: readonly Signal[]) => Object.keys(fed(signals).healthByOwner)

  test('32 owners are kept; of more the one whose report is the oldest goes', () => {
    expect(ownersOf(reports(32))).toHaveLength(32)
    const owners = ownersOf(reports(33))
    expect(owners).toHaveLength(32)
    expect(owners).not.toContain('pid:01')
    expect(owners).toContain('pid:33')
    expect(ownersOf([...reports(32), report(1, 40), report(33, 41)])).toContain('pid:01')
  })

  test('of equally old ones the first by name goes', () => {
    const same = Array.from({ length: 33 }, (_, n) => report(33 - n, 5))
    expect(ownersOf(same)).not.toContain('pid:02')
    expect(ownersOf(same)).toContain('pid:01')
  })

  test('an older report takes no newer one’s place, and the end of an owner its own alone', () => {
    const late = { ...report(1, 4), what: 'old' }
    expect(fed([report(1, 5), report(2, 6), { ...late, seen: 4 }]).healthByOwner['pid:01']?.what).toBe(
      'it reads',
    )
    expect(ownersOf([report(1, 5), report(2, 6), { ...report(1, 7), alive: false }])).toEqual(['pid:02'])
    expect(ownersOf([report(1, 5), { ...report(3, 7), alive: false }])).toEqual(['pid:01'])
  })
})

describe('ids of turns that are over', () => {
  const turn = (n: number): readonly News[] => [
    news(n * 1e4, 'main', { starts: true, turn: `t${n}` }),
    news(n * 1e4 + 5000, 'main', { state: { kind: 'idle' }, turn: `t${n}` }),
  ]
  const turns = (count: number) => fed(Array.from({ length: count }, (_, n) => turn(n + 1)).flat())

  test('sixteen are known, and late news of them are news of the past', () => {
    const session = turns(17)
    expect(session.turns.closed).toEqual(Array.from({ length: 16 }, (_, n) => `t${n + 2}`))
    const late = (id: string) => fed([news(2e5, 'main', { turn: id })], session).verdict.state.kind
    expect(late('t2')).toBe('idle')
    expect(late('t17')).toBe('idle')
  })
})

describe('signals of one instant', () => {
  /** Facts of a turn's end and of a later prompt, from two sources at once. */
  const both = (first: News, second: News) => {
    const flood = Array.from({ length: 63 }, (_, n) => news(9, `bg:${n % 8}`, { source: 'hook' }))
    return { ordered: fed([first, second]), flooded: fed([...flood, first, second]) }
  }

  test('are filed in the order of their sources, up to 64 of them', () => {
    const hook = news(9, 'main', { state: { kind: 'idle' }, source: 'hook' })
    const row = news(9, 'main', { state: { kind: 'waiting', for: 'plan' }, source: 'rows' })
    expect(both(hook, row).ordered.verdict.state).toEqual(both(row, hook).ordered.verdict.state)
    expect(both(row, hook).flooded.instant?.signals).toHaveLength(1)
    expect(both(row, hook).ordered.instant?.signals.map(({ source }) => source)).toEqual(['hook', 'rows'])
  })
})
