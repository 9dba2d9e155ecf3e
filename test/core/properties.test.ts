import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advance, startedSession } from '../../src/core/advance.ts'
import type { News, Sign, Signal } from '../../src/core/evidence/signal.ts'
import { explain } from '../../src/core/explain/explain.ts'
import { judge } from '../../src/core/judge/judge.ts'
import { newSession, type Session } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'

/** What must hold for any signals whatever, in any order. */

const states = fc.constantFrom<State>(
  { kind: 'working' },
  { kind: 'working', doing: 'tool' },
  { kind: 'idle', after: 'turn' },
  { kind: 'idle', after: 'interrupt' },
  { kind: 'waiting', for: 'permission' },
  { kind: 'waiting', for: 'dialog' },
  { kind: 'unknown' },
)

const instants = fc.integer({ min: 0, max: 20_000 })

const news = fc
  .record({
    source: fc.constantFrom('hook' as const, 'transcript' as const, 'rows' as const),
    lane: fc.constantFrom(
      'main' as const,
      'sub:a' as const,
      'bg:b' as const,
      'ask:main:t' as const,
      'queue' as const,
    ),
    turn: fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined }),
    state: states,
    starts: fc.boolean(),
    reopens: fc.boolean(),
    ends: fc.constantFrom<News['ends']>(undefined, ['ask:main:*'], ['bg:*', 'sub:*']),
    hold: fc.option(fc.integer({ min: 1, max: 5000 }), { nil: undefined }),
    late: fc.integer({ min: 0, max: 3000 }),
    at: instants,
  })
  .map(
    ({ turn, ends, hold, late, at, ...rest }): Signal => ({
      type: 'news',
      what: 'event',
      ...rest,
      ...(turn === undefined ? {} : { turn }),
      ...(ends === undefined ? {} : { ends }),
      ...(hold === undefined ? {} : { hold }),
      at: Math.max(0, at - late),
      seen: at,
    }),
  )

const signs = fc
  .record({
    source: fc.constantFrom('status' as const, 'title' as const, 'osc7501' as const, 'paint' as const),
    state: states,
    tier: fc.constantFrom('declared' as const, 'seen' as const, 'inferred' as const),
    lag: fc.constantFrom(0, 500, 1000),
    at: instants,
    alive: fc.boolean(),
  })
  .map(
    ({ at, ...rest }): Signal => ({
      type: 'sign',
      what: 'value',
      excludes: ['working', 'waiting'],
      since: at,
      seen: at,
      ...(rest.tier === 'inferred' ? { hold: 1300 } : {}),
      ...rest,
    }),
  )

const vitals = fc
  .record({
    owner: fc.constantFrom('pid:1', 'pid:2'),
    level: fc.constantFrom('healthy' as const, 'suspicious' as const, 'confirmed_stuck' as const),
    cause: fc.constantFrom('stdin' as const, 'network' as const, 'deadlock' as const),
    hold: fc.option(fc.integer({ min: 1, max: 5000 }), { nil: undefined }),
    late: fc.integer({ min: 0, max: 3000 }),
    at: instants,
    alive: fc.boolean(),
  })
  .map(
    ({ owner, level, cause, hold, late, at, alive }): Signal => ({
      type: 'health',
      source: 'process',
      owner,
      what: 'sentence',
      health: { level, cause, certainty: 'high' },
      ...(hold === undefined ? {} : { hold }),
      since: Math.max(0, at - late),
      seen: at,
      alive,
    }),
  )

const exits = instants.map((at): Signal => ({ type: 'exit', source: 'process', what: 'gone', at }))
const signals = fc.oneof(
  { weight: 6, arbitrary: news },
  { weight: 4, arbitrary: signs },
  { weight: 1, arbitrary: exits },
  { weight: 2, arbitrary: vitals },
)
const arrival = (signal: Signal): number => ('seen' in signal ? signal.seen : signal.at)
const histories = fc
  .array(signals, { maxLength: 40 })
  .map(all => [...all].sort((a, b) => arrival(a) - arrival(b)))

const file = (session: Session, signal: Signal): Session => advance(session, arrival(signal), signal)
const run = (all: readonly Signal[], from = startedSession(0)): Session => all.reduce(file, from)

describe('whatever is heard', () => {
  test('the same signals give the same bytes', () => {
    fc.assert(
      fc.property(histories, all => {
        const copy = structuredClone(all)
        expect(JSON.stringify(run(copy))).toBe(JSON.stringify(run(all)))
      }),
    )
  })

  test('time never runs back', () => {
    fc.assert(
      fc.property(fc.array(signals, { maxLength: 30 }), all => {
        let session = startedSession(0)
        for (const signal of all) {
          const next = file(session, signal)
          expect(next.now).toBeGreaterThanOrEqual(session.now)
          expect(next.verdict.since).toBeLessThanOrEqual(next.now)
          session = next
        }
      }),
    )
  })

  test('equal-time signals of different sources commute', () => {
    fc.assert(
      fc.property(histories, signals, signals, instants, (all, a, b, later) => {
        fc.pre(a.type !== 'facts' && b.type !== 'facts' && a.source !== b.source)
        fc.pre(a.type !== 'exit' || b.type !== 'exit')
        const now = Math.max(20_000, ...all.map(arrival)) + 1
        const at = (signal: Signal): Signal => moved(signal, now)
        const before = run(all)
        const one = file(file(before, at(a)), at(b))
        const other = file(file(before, at(b)), at(a))
        expect(claim(one)).toEqual(claim(other))
        expect(claim(advance(one, now + later))).toEqual(claim(advance(other, now + later)))
      }),
      { numRuns: 2000 },
    )
  })

  test('a recheck that is due is never in the past, and keeping it ends', () => {
    fc.assert(
      fc.property(histories, all => {
        let session = run(all)
        for (let n = 0; n < 200 && session.verdict.recheckAt !== undefined; n++) {
          const due: number = session.verdict.recheckAt
          expect(due).toBeGreaterThan(session.now)
          session = advance(session, due)
        }
        expect(session.verdict.recheckAt).toBeUndefined()
      }),
    )
  })

  test('between rechecks the verdict does not change by itself', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 0, max: 10_000 }), (all, wait) => {
        const session = run(all)
        const { recheckAt = Infinity, state } = session.verdict
        const now = session.now + wait
        fc.pre(now < recheckAt)
        expect(judge(session, now).state).toEqual(state)
      }),
    )
  })

  test('signals of an unknown type are ignored', () => {
    fc.assert(
      fc.property(histories, all => {
        const session = run(all)
        const stranger = { type: 'gossip', at: session.now } as unknown as Signal
        expect(claim(advance(session, session.now, stranger))).toEqual(claim(session))
      }),
    )
  })

  test('news of a closed turn never reopen it unless they may', () => {
    fc.assert(
      fc.property(fc.array(news, { maxLength: 10 }), all => {
        const ended: Signal = { ...main({ kind: 'idle', after: 'turn' }, 1000), turn: 'closed' }
        const begun: Signal = { ...main({ kind: 'working' }, 500), turn: 'closed', starts: true }
        const session = run([begun, ended], newSession(0))
        const late = all.map(signal =>
          moved({ ...(signal as News), lane: 'main', turn: 'closed', reopens: false }, 2000),
        )
        expect(run(late, session).turns.open).toBeUndefined()
        expect(run(late, session).verdict.state.kind).toBe('idle')
      }),
    )
  })

  test('every verdict can be explained on one line', () => {
    fc.assert(
      fc.property(histories, all => {
        const session = run(all)
        const sentence = explain(session.verdict, session.now, session.facts)
        expect(sentence).toMatch(/^[A-Z][^\n]+\.$/)
      }),
    )
  })

  test('gone is gone, until the end', () => {
    fc.assert(
      fc.property(histories, histories, (all, more) => {
        const gone = file(run(all), { type: 'exit', source: 'process', what: 'gone', at: 20_001 })
        expect(run(more, gone).verdict.state.kind).toBe('exited')
      }),
    )
  })
})

function main(state: State, at: number): News {
  return { type: 'news', source: 'hook', what: 'event', lane: 'main', state, at, seen: at }
}

function moved(signal: Signal, now: number): Signal {
  switch (signal.type) {
    case 'news':
      return { ...signal, at: now, seen: now }
    case 'sign':
      return { ...(signal as Sign), since: now, seen: now }
    case 'health':
      return { ...signal, since: now, seen: now }
    default:
      return { ...signal, at: now }
  }
}

const claim = ({ verdict }: Session) => ({
  state: verdict.state,
  health: verdict.health,
  since: verdict.since,
  rule: verdict.rule,
  confidence: verdict.confidence,
  turnOver: verdict.turnOver,
  turn: verdict.turn,
})
