import { describe, expect, test } from 'vitest'
import { advance, startedSession } from '../../src/core/advance.ts'
import type { News, Sign, Signal } from '../../src/core/evidence/signal.ts'
import type { Verdict } from '../../src/core/judge/verdict.ts'
import type { Kind } from '../../src/core/state.ts'
import { news, sign } from '../support/core-signals.ts'

/** A sign and the news say different things, and either may be late: what is said until it is known. Times are ms. */

const start = (at: number, more: Partial<News> = {}) => news('working', at, { starts: true, ...more })
const end = (at: number, more: Partial<News> = {}) => news('idle', at, more)
const title = (kind: Kind, at: number, more: Partial<Sign> = {}) =>
  sign('title', kind, at, { excludes: ['working', 'waiting'], ...more })
const enter = (at: number) => sign('keys', 'working', at, { tier: 'inferred', lag: 0, hold: 3000 })

function verdictAt(now: number, ...signals: Signal[]): Verdict {
  let session = startedSession(0)
  const until = (at: number) => {
    for (let due = session.verdict.recheckAt; due !== undefined && due <= at; due = session.verdict.recheckAt)
      session = advance(session, due)
  }
  const seen = (one: Signal) => ('seen' in one ? one.seen : one.at)
  for (const signal of signals.toSorted((a, b) => seen(a) - seen(b)).filter(one => seen(one) <= now)) {
    until(seen(signal))
    session = advance(session, seen(signal), signal)
  }
  until(now)
  return advance(session, now).verdict
}
const kindAt = (now: number, ...signals: Signal[]) => verdictAt(now, ...signals).state.kind

describe('work that a sign shows after the end of a turn', () => {
  const turn = [enter(900), start(1000), end(20_000)]

  test('may be of that turn for as long as a source may be late', () => {
    const late = [...turn, title('working', 22_000)]
    expect(kindAt(22_100, ...late)).toBe('unknown')
    expect(kindAt(29_999, ...late)).toBe('unknown')
    expect(kindAt(30_000, ...late)).toBe('working')
  })

  test('is no turn of its own until then', () => {
    const late = [...turn, title('working', 22_000)]
    expect(verdictAt(25_000, ...late)).toMatchObject({
      turn: 1,
      turnOver: true,
      rule: 'doubt',
      confidence: 0,
    })
    expect(verdictAt(30_000, ...late)).toMatchObject({ turn: 2, turnOver: false })
  })

  test('that it has shown since before the end is never known', () => {
    const frozen = [...turn, title('working', 1200)]
    expect(kindAt(20_400, ...frozen)).toBe('idle')
    expect(kindAt(20_600, ...frozen)).toBe('unknown')
    expect(kindAt(500_000, ...frozen)).toBe('unknown')
  })

  test('but where it says so again when no source may be late any more', () => {
    const again = (at: number) => [...turn, title('working', 1200), title('working', at)]
    expect(kindAt(30_000, ...again(30_000))).toBe('unknown')
    expect(kindAt(30_001, ...again(30_001))).toBe('working')
  })

  test('is work at once where it answers Enter', () => {
    expect(kindAt(22_100, ...turn, enter(21_700), title('working', 22_000))).toBe('working')
  })

  test('is work at once where nothing but a start came before', () => {
    expect(kindAt(2100, end(1000, { onlyFrom: ['starting'] }), title('working', 2000))).toBe('working')
  })

  test('is work at once where the news allow it', () => {
    expect(kindAt(22_100, start(1000), end(20_000, { allows: ['working'] }), title('working', 22_000))).toBe(
      'working',
    )
  })
})

describe('work that a sign denies', () => {
  const told = [enter(1000), title('working', 1300), title('idle', 2000)]

  test('is not known where that sign has told of the turn, and of its end', () => {
    expect(kindAt(4000, ...told, start(2500))).toBe('unknown')
    expect(kindAt(4000, ...told, news('waiting', 2500))).toBe('unknown')
  })

  test('is as it is told where the sign has not told of the newest Enter yet', () => {
    expect(kindAt(4000, ...told, enter(2200), start(2500))).toBe('working')
    expect(kindAt(4000, title('idle', 500), enter(1000), start(1100))).toBe('working')
  })

  test('is as it is told where the news are too new to be of that turn', () => {
    expect(kindAt(13_000, ...told, start(12_000))).toBe('unknown')
    expect(kindAt(13_001, ...told, start(12_001))).toBe('working')
  })

  test('is as it is told where the sign tells of turns alone', () => {
    expect(kindAt(4000, ...told, start(2500, { outlasts: ['title'] }))).toBe('working')
  })

  test('a dialog is not denied by what shows dialogs as it shows idleness', () => {
    const vague = told.map(one => ({ ...one, excludes: [] }))
    expect(kindAt(4500, ...vague, news('waiting', 2500))).toBe('waiting')
    expect(kindAt(4500, ...vague, start(2500))).toBe('unknown')
  })
})

describe('work that is denied by who has not been seen to keep step', () => {
  /** A prompt that Escape takes back before its first token: nothing but the status file tells of it, and lull came later. */
  const takenBack = [start(1000), sign('status', 'idle', 3000, { excludes: ['working', 'waiting'] })]

  test.each<[number, Kind]>([
    [12_999, 'working'],
    [13_000, 'unknown'],
    [500_000, 'unknown'],
  ])('is not known once that has stood for as long as it may be late: at %i ms %s', (now, kind) =>
    expect(kindAt(now, ...takenBack)).toBe(kind),
  )

  test('is work again with the next word of it', () => {
    expect(kindAt(20_000, ...takenBack, news('working', 15_000))).toBe('working')
  })

  test('is work where the sign is older', () => {
    expect(kindAt(20_000, sign('status', 'idle', 900, { excludes: ['working'] }), start(1000))).toBe(
      'working',
    )
  })
})

describe('idleness in which a program may still start', () => {
  const process = news('starting', 0, { source: 'session' })
  const shown = title('idle', 1000, { settles: 1300, mayBeUpFrom: 700 })

  test.each<[number, Kind]>([
    [1699, 'starting'],
    [1700, 'unknown'],
    [2299, 'unknown'],
    [2300, 'idle'],
  ])('at %i ms: %s', (now, kind) => expect(kindAt(now, process, shown)).toBe(kind))

  test('is starting until it settles where nobody says from when on', () => {
    expect(kindAt(2299, process, title('idle', 1000, { settles: 1300 }))).toBe('starting')
  })
})
