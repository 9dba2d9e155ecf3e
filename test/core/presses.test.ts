import { describe, expect, test } from 'vitest'
import { advance, startedSession } from '../../src/core/advance.ts'
import type { News, Sign, Signal, Source } from '../../src/core/evidence/signal.ts'
import type { Session } from '../../src/core/session.ts'
import type { Kind, State } from '../../src/core/state.ts'

/** Which Enter a source has told of, and what the ends that it tells are worth until it has. Times are ms. */

const stateOf = (kind: Kind): State =>
  kind === 'waiting' ? { kind, for: 'permission' } : ({ kind } as State)
const news = (source: Source, kind: Kind, at: number, more: Partial<News> = {}): News => ({
  type: 'news',
  source,
  what: 'event',
  lane: 'main',
  state: stateOf(kind),
  at,
  seen: at,
  ...more,
})
const start = (at: number, more: Partial<News> = {}) => news('hook', 'working', at, { starts: true, ...more })
const end = (at: number, more: Partial<News> = {}) => news('hook', 'idle', at, more)
const logged = (kind: Kind, at: number, seen: number) =>
  news('transcript', kind, at, { seen, ...(kind === 'working' ? { starts: true } : {}) })
const sign = (kind: Kind, at: number, more: Partial<Sign> = {}): Sign => ({
  type: 'sign',
  source: 'title',
  what: 'title',
  state: stateOf(kind),
  excludes: kind === 'idle' ? ['working', 'waiting'] : ['waiting'],
  tier: 'declared',
  lag: 500,
  since: at,
  seen: at,
  alive: true,
  ...more,
})
const enter = (at: number): Sign =>
  sign('working', at, { source: 'keys', tier: 'inferred', excludes: [], lag: 0, hold: 3000 })

const arrival = (signal: Signal): number => ('seen' in signal ? signal.seen : signal.at)
/** What is said at `now`, after every recheck that came due. */
function heard(now: number, signals: readonly Signal[]): Session {
  let session = startedSession(0)
  const until = (at: number) => {
    for (let due = session.verdict.recheckAt; due !== undefined && due <= at; due = session.verdict.recheckAt)
      session = advance(session, due)
  }
  for (const signal of signals.toSorted((a, b) => arrival(a) - arrival(b))) {
    if (arrival(signal) > now) break
    until(arrival(signal))
    session = advance(session, arrival(signal), signal)
  }
  until(now)
  return advance(session, now)
}
const kindAt = (now: number, ...signals: Signal[]) => heard(now, signals).verdict.state.kind

describe('an end that its source tells late', () => {
  const two = [enter(1000), logged('working', 1000, 1100), logged('idle', 1500, 1600), enter(3000)]

  test('is that of the oldest Enter that the source may answer: the newer one stays in doubt', () => {
    const late = [...two, start(8000), end(8500)]
    expect(kindAt(8400, ...late)).toBe('working')
    expect(kindAt(8600, ...late)).toBe('unknown')
    expect(kindAt(10_100, ...late, start(10_000))).toBe('working')
    expect(kindAt(10_600, ...late, start(10_000), end(10_500))).toBe('idle')
  })

  test('for as long as a source may be late, and no longer', () => {
    const late = [...two, start(8000), end(8500)]
    expect(kindAt(12_900, ...late)).toBe('unknown')
    expect(kindAt(13_100, ...late)).toBe('idle')
  })

  test('is no matter where the source answers as quickly as before', () => {
    const quick = [enter(1000), start(1050), end(1500), enter(2000), enter(3000), start(3060), end(3500)]
    expect(kindAt(3600, ...quick)).toBe('idle')
  })

  test('is one where it comes more quickly than the source ever tells: it was told twice', () => {
    const slow = [enter(1000), start(4000), end(4500), enter(10_000)]
    expect(kindAt(10_900, ...slow, start(10_300), end(10_800))).toBe('unknown')
    expect(kindAt(13_600, ...slow, start(13_000), end(13_500))).toBe('idle')
  })

  test('is no matter where the source never tells of beginnings, and another has', () => {
    const signals = [enter(1000), logged('working', 1010, 1100), end(5000)]
    expect(kindAt(5100, ...signals)).toBe('idle')
  })

  test('is no matter where it was stamped', () => {
    const signals = [enter(1000), start(1050), enter(4000), end(3000, { seen: 4100 })]
    expect(kindAt(14_200, ...signals)).toBe('unknown')
    const before = [enter(1000), start(1050), enter(4000), end(5000, { seen: 5100 })]
    expect(kindAt(5200, ...before)).toBe('idle')
  })

  test('tells of a queued prompt as of one that begins', () => {
    const queued = news('hook', 'working', 3050, { lane: 'queue', hold: 1000 })
    expect(kindAt(6100, enter(1000), start(1050), enter(3000), queued, end(6000))).toBe('idle')
    expect(kindAt(6100, enter(1000), start(1050), enter(3000), end(6000))).toBe('unknown')
  })
})

describe('Enter in a dialog', () => {
  const asked = [enter(1000), start(1050), sign('working', 1100), sign('waiting', 2000)]

  test('is its answer, and begins nothing', () => {
    const answered = [...asked, enter(5000), sign('working', 5050), end(6000), sign('idle', 6050)]
    expect(kindAt(6100, ...answered)).toBe('idle')
  })

  test('is its answer once: what is pressed then may be a prompt', () => {
    const silent = [enter(1000), start(1050), news('hook', 'waiting', 2000, { lane: 'ask:main:x' })]
    const over = [news('hook', 'working', 7000, { ends: ['ask:main:*'] }), end(7100)]
    expect(kindAt(7200, ...silent, enter(5000), ...over)).toBe('idle')
    expect(kindAt(7200, ...silent, enter(5000), enter(6000), ...over)).toBe('unknown')
  })

  test('is none where a source says that it began a turn', () => {
    const silent = [enter(1000), start(1050), news('hook', 'waiting', 2000, { lane: 'ask:main:x' })]
    const shown = [sign('working', 1060), sign('idle', 4000), sign('working', 5030)]
    const over = [news('hook', 'working', 7000, { ends: ['ask:main:*'] }), end(7100)]
    const said = heard(7200, [...silent, ...shown, enter(5000), ...over])
    expect(said.presses.at(-1)).toEqual({ at: 5000, is: 'prompt' })
    expect(said.verdict.state.kind).not.toBe('idle')
  })
})

describe('a sign', () => {
  const told = [enter(1000), start(1050), end(1500)]

  test('that shows the turn before only now does not end this one', () => {
    const late = [...told, enter(7700), start(7750), sign('working', 8000), sign('idle', 8200)]
    expect(kindAt(9000, ...late)).toBe('working')
    expect(kindAt(17_800, ...late)).toBe('idle')
  })

  test('that shows this one ends it', () => {
    const signs = [sign('working', 1060), sign('idle', 1500), sign('working', 7800), sign('idle', 8200)]
    expect(kindAt(9000, ...told, enter(7700), start(7750), ...signs)).toBe('idle')
  })

  test('that was busy for a moment has answered nothing', () => {
    const flicker = [sign('idle', 900), sign('working', 1040), sign('idle', 1060)]
    const late = [sign('working', 3000), sign('idle', 3500), enter(5000), start(5050)]
    const again = [sign('working', 5300), sign('idle', 5600)]
    expect(kindAt(6000, ...told, ...flicker, ...late, ...again)).toBe('working')
  })

  test('that stood before a turn began tells nothing of it, even where nothing else does any more', () => {
    const held = [sign('idle', 900), enter(5000), start(5050, { hold: 4000 })]
    expect(kindAt(9500, ...held)).toBe('unknown')
    expect(kindAt(9600, ...held, sign('working', 9100), sign('idle', 9500))).toBe('idle')
  })
})

describe('what is remembered of Enter', () => {
  test('is bounded', () => {
    const many = Array.from({ length: 100 }, (_, n) => enter(1000 + n))
    expect(heard(2000, many).presses).toHaveLength(16)
  })
})

describe('stamps of one turn', () => {
  test('an end counts from when it happened, though work before it was told late and without a stamp', () => {
    const named = { turn: 'a' }
    const work = [
      { ...logged('working', 1000, 1100), ...named },
      start(9000, named),
      { ...logged('idle', 2000, 9100), ...named },
    ]
    expect(heard(9200, work).lanes.main?.news).toMatchObject({ at: 2000, state: { kind: 'idle' } })
    const next = sign('working', 5000, { source: 'status', excludes: ['waiting'] })
    expect(kindAt(12_000, ...work, next)).toBe('working')
  })

  test('a start that opens a turn is not outdone by what was told late and without a stamp', () => {
    const up = end(9000, { onlyFrom: ['starting'] })
    expect(kindAt(9400, up, start(7800, { seen: 9200 }))).toBe('working')
  })
})
