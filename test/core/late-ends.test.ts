import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advance, startedSession } from '../../src/core/advance.ts'
import type { News, Sign, Signal, Source } from '../../src/core/evidence/signal.ts'
import type { Session } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'

/** What is told of a turn or a dialog that is over, however late and however often, moves nothing of the turns after it. Times are ms. */

const news = (source: Source, says: State, at: number, more: Partial<News> = {}): News => ({
  type: 'news',
  source,
  what: 'event',
  lane: 'main',
  state: says,
  at,
  seen: at,
  ...more,
})
const start = (source: Source, at: number, more: Partial<News> = {}) =>
  news(source, { kind: 'working' }, at, { starts: true, ...more })
const end = (source: Source, at: number, more: Partial<News> = {}) =>
  news(source, { kind: 'idle', after: 'turn' }, at, more)
const sign = (says: State, at: number): Sign => ({
  type: 'sign',
  source: 'title',
  what: 'title',
  state: says,
  excludes: ['working', 'waiting'],
  tier: 'declared',
  lag: 500,
  since: at,
  seen: at,
  alive: true,
})
const enter = (at: number): Sign => ({
  ...sign({ kind: 'working' }, at),
  source: 'keys',
  tier: 'inferred',
  hold: 3000,
})

const arrival = (signal: Signal): number => ('seen' in signal ? signal.seen : signal.at)
const heard = (...signals: Signal[]): Session =>
  signals
    .toSorted((a, b) => arrival(a) - arrival(b))
    .reduce((session, one) => advance(session, arrival(one), one), startedSession(0))
const kindAt = (now: number, ...signals: Signal[]) => advance(heard(...signals), now).verdict.state.kind

describe('a late end without a name or a stamp', () => {
  const first = [start('transcript', 1000, { seen: 1100 }), end('transcript', 5000, { seen: 5100 })]
  const hooked = start('hook', 1050)

  test('does not keep the next start from beginning a turn', () => {
    const next = start('transcript', 11_000, { seen: 12_100 })
    expect(kindAt(13_000, ...first, hooked, end('hook', 12_000), next)).toBe('working')
  })

  test('does not end a turn whose start its source has not told', () => {
    const next = start('transcript', 11_000, { seen: 11_100 })
    expect(kindAt(13_000, ...first, hooked, next, end('hook', 12_000))).toBe('working')
    expect(
      kindAt(19_000, ...first, hooked, next, end('hook', 12_000), start('hook', 18_000), end('hook', 18_500)),
    ).toBe('idle')
  })

  test('is the end of a turn that was begun by its source, or by a source that never tells of starts', () => {
    expect(kindAt(9000, start('hook', 1000), end('hook', 5000))).toBe('idle')
    expect(kindAt(9000, start('transcript', 1000), end('hook', 5000))).toBe('idle')
  })

  test('leaves the doubt of an Enter that came before it', () => {
    const typed = [enter(900), start('hook', 8000), enter(10_500), end('hook', 12_000)]
    expect(kindAt(13_000, ...typed)).toBe('unknown')
    expect(kindAt(19_000, ...typed, start('hook', 17_600))).toBe('working')
  })
})

describe('a name that is over', () => {
  test('is told by a late start that was stamped before the last end: its end ends nothing', () => {
    const log = [start('transcript', 1000, { seen: 1500 }), end('transcript', 2000, { seen: 2500 })]
    const next = start('transcript', 7000, { seen: 8500 })
    const late = start('hook', 1000, { turn: 'a', seen: 8000 })
    expect(kindAt(9500, ...log, late, next, end('hook', 9000, { turn: 'a' }))).toBe('working')
  })

  test('is not that of a turn that began after a late start and goes on', () => {
    const named = [start('transcript', 1000, { turn: 'b' }), start('hook', 1500, { turn: 'a' })]
    const again = start('hook', 3000, { turn: 'b' })
    expect(kindAt(4000, ...named, end('hook', 2000, { turn: 'a' }), again)).toBe('working')
    const over = end('transcript', 2500, { turn: 'b' })
    expect(kindAt(4000, ...named, end('hook', 2000, { turn: 'a' }), over, again)).toBe('idle')
  })
})

describe('a dialog that was answered', () => {
  const asked = (source: Source, at: number, more: Partial<News> = {}) =>
    news(source, { kind: 'waiting', for: 'permission' }, at, { lane: 'ask:main:per_1', ...more })
  const answered = news('hook', { kind: 'working' }, 5000, { ends: ['ask:main:per_1'] })
  const before = [start('hook', 1000), asked('hook', 3000), answered]

  test('is not opened again by a log that tells later that it was asked', () => {
    expect(kindAt(9000, ...before, asked('transcript', 2990, { seen: 5200 }))).toBe('working')
  })

  test('is, where it is asked again after that', () => {
    expect(kindAt(9000, ...before, asked('transcript', 5100, { seen: 5200 }))).toBe('waiting')
  })

  test('says nothing of the next one', () => {
    const next = asked('transcript', 4000, { lane: 'ask:main:per_2', seen: 5200 })
    expect(kindAt(9000, ...before, next)).toBe('waiting')
    expect(kindAt(9000, ...before, next, asked('transcript', 2990, { seen: 5300 }))).toBe('waiting')
  })

  test('keeps the words of the next one, though a log tells of the first again', () => {
    const question: Signal = { type: 'facts', facts: { question: 'rm -r b' }, at: 5100 }
    const next = [asked('hook', 5100, { lane: 'ask:main:per_2' }), question]
    const session = heard(...before, ...next, asked('transcript', 2990, { seen: 5300 }))
    expect(session.facts.question).toBe('rm -r b')
  })

  test('is remembered among many, and not for ever', () => {
    const many = Array.from({ length: 40 }, (_, n) => [
      asked('hook', 6000 + 20 * n, { lane: `ask:main:per_${n + 2}` }),
      news('hook', { kind: 'working' }, 6010 + 20 * n, { ends: [`ask:main:per_${n + 2}`] }),
    ]).flat()
    expect(heard(...before, ...many).pastDialogs).toHaveLength(16)
  })
})

describe('a sign that is late', () => {
  const steps = [start('hook', 1000), sign({ kind: 'working' }, 1100), end('hook', 5000)]

  test('does not overturn the next turn with the idleness after the one before', () => {
    const late = [...steps, start('hook', 6000), sign({ kind: 'idle' }, 6600)]
    expect(kindAt(9000, ...late)).toBe('working')
    expect(kindAt(16_700, ...late)).toBe('idle')
  })

  test('overturns it where it has called it busy', () => {
    const signs = [
      sign({ kind: 'idle' }, 5100),
      sign({ kind: 'working' }, 6100),
      sign({ kind: 'idle' }, 8000),
    ]
    expect(kindAt(9000, ...steps, start('hook', 6000), ...signs)).toBe('idle')
  })
})

describe('whatever turns there are', () => {
  const turns = fc.array(
    fc.record({ pause: fc.integer({ min: 50, max: 9000 }), lasts: fc.integer({ min: 400, max: 9000 }) }),
    { minLength: 2, maxLength: 6 },
  )
  /** Which turn's end is told again, how much later, with its stamp or without. */
  const again = fc.record({
    turn: fc.nat({ max: 5 }),
    later: fc.integer({ min: 1, max: 60_000 }),
    isStamped: fc.boolean(),
    after: fc.constantFrom('turn' as const, 'interrupt' as const),
  })

  const told = (all: readonly { pause: number; lasts: number }[], isNamed: boolean) => {
    let at = 0
    return all.flatMap(({ pause, lasts }, n) => {
      const from = at + pause
      at = from + lasts
      const name = isNamed ? { turn: `t${n}` } : {}
      return [
        start('transcript', from, { ...name, seen: from + 20 }),
        end('transcript', at, { ...name, seen: at + 20 }),
      ]
    })
  }
  const claims = ({ verdict, turns }: Session) => ({
    state: verdict.state.kind,
    turn: verdict.turn,
    lastEnd: turns.lastEnd,
    open: turns.open,
  })

  test('an end that is told again moves nothing where it has a name or a stamp, or where no turn is open', () => {
    fc.assert(
      fc.property(turns, fc.boolean(), fc.array(again, { maxLength: 5 }), (all, isNamed, copies) => {
        const events = told(all, isNamed)
        const late = copies.flatMap(({ turn, later, isStamped, after }) => {
          const first = events[(turn % all.length) * 2 + 1] as News
          const seen = first.seen + later
          const isOpen = events.some(
            (e, n) => e.starts && e.at <= seen && seen <= (events[n + 1] as News).seen,
          )
          if (isOpen && !isNamed && !isStamped) return []
          const says: State = { kind: 'idle', after }
          return [{ ...first, says, source: 'hook' as const, at: isStamped ? first.at : seen, seen }]
        })
        for (const until of [...events, ...late].map(arrival)) {
          const before = (one: News) => arrival(one) <= until
          expect(claims(heard(...events.filter(before), ...late.filter(before)))).toEqual(
            claims(heard(...events.filter(before))),
          )
        }
      }),
    )
  })
})

describe('a short turn whose transcript is found after its end', () => {
  const screen = (kind: 'working' | 'idle', at: number): Sign => ({
    ...sign({ kind }, at),
    source: 'screen',
    tier: 'seen',
  })
  const status = (at: number): Sign => ({ ...sign({ kind: 'idle' }, at), source: 'status', lag: 100 })
  const begun = start('transcript', 2600, { turn: 'a', seen: 4400 })
  const over = end('transcript', 3700, { turn: 'a', seen: 4600 })
  const seen = [status(100), screen('working', 3400), status(4000), begun, over]

  test('is ended by what the transcript tells of its end', () => {
    const { verdict } = heard(...seen, screen('idle', 5000))
    expect(verdict).toMatchObject({ state: { kind: 'idle', after: 'turn' }, turn: 1, turnOver: true })
  })

  test('does not make idle what a sign shows to work since, or still', () => {
    expect(kindAt(4700, ...seen, screen('idle', 4100), screen('working', 4300))).not.toBe('idle')
    expect(kindAt(4700, ...seen, screen('working', 4300))).not.toBe('idle')
  })
})

describe('work that was told before its turn was over', () => {
  const working: News = { ...start('hook', 1), starts: false }
  const status = (says: State, at: number): Sign => ({ ...sign(says, at), source: 'status', lag: 0 })
  const background = status({ kind: 'working', doing: 'background' }, 2)
  const idle = status({ kind: 'idle', after: 'turn' }, 8001)

  test('is no new turn once the background work is over, too', () => {
    const { turns, verdict } = heard(working, background, idle, end('hook', 8002, { turn: 'one' }))
    expect(verdict.state).toEqual({ kind: 'idle', after: 'turn' })
    expect(turns.count).toBe(1)
  })
})
