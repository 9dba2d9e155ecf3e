import { describe, expect, test } from 'vitest'
import { advance, startedSession } from '../../src/core/advance.ts'
import type { HealthSignal, News, Signal } from '../../src/core/evidence/signal.ts'
import { explain } from '../../src/core/explain/explain.ts'
import { causes } from '../../src/core/explain/explain-health.ts'
import { newSession, type Session } from '../../src/core/session.ts'
import type { Cause, Health, State } from '../../src/core/state.ts'

/** What is told of a session's health, and what becomes of it. Times are ms. */

const told = (
  level: Health['level'],
  cause: Cause,
  at: number,
  more: Partial<HealthSignal> = {},
): HealthSignal => ({
  type: 'health',
  source: 'process',
  owner: 'pid:7',
  what: 'cat(7) reads a pipe',
  health: { level, cause, certainty: 'high' },
  since: at,
  seen: at,
  alive: true,
  ...more,
})

const main = (says: State, at: number): News => ({
  type: 'news',
  source: 'hook',
  what: 'event',
  lane: 'main',
  state: says,
  at,
  seen: at,
})

const gone = (at: number): Signal => ({ type: 'exit', source: 'process', what: 'gone', at })

const run = (...signals: Signal[]): Session =>
  signals.reduce(
    (session, signal) => advance(session, 'seen' in signal ? signal.seen : signal.at, signal),
    startedSession(0),
  )

const levelOf = ({ verdict }: Session): string => `${verdict.health.level}/${verdict.health.cause ?? ''}`

describe('whose health counts', () => {
  const cases: Readonly<Record<string, readonly [Session, string]>> = {
    'nobody tells': [run(main({ kind: 'working' }, 1)), 'healthy/'],
    'one tells': [run(told('confirmed_stuck', 'deadlock', 5)), 'confirmed_stuck/deadlock'],
    'the next of one owner takes its place': [
      run(told('confirmed_stuck', 'stdin', 5), told('healthy', 'computing', 6)),
      'healthy/computing',
    ],
    'of several the worst': [
      run(told('healthy', 'network', 5), told('suspicious', 'ticking', 6, { owner: 'pid:8' })),
      'suspicious/ticking',
    ],
    'an owner that is gone': [
      run(told('confirmed_stuck', 'stdin', 5), told('healthy', 'exited', 6, { alive: false })),
      'healthy/',
    ],
    'the end of the process ends it': [run(told('confirmed_stuck', 'stdin', 5), gone(6)), 'healthy/'],
    'and what comes after counts no more': [run(gone(6), told('confirmed_stuck', 'stdin', 7)), 'healthy/'],
    'what is ready for input reads its input': [
      run(main({ kind: 'idle' }, 1), told('confirmed_stuck', 'stdin', 5)),
      'healthy/',
    ],
    'but an idle one may hang': [
      run(main({ kind: 'idle' }, 1), told('confirmed_stuck', 'deadlock', 5)),
      'confirmed_stuck/deadlock',
    ],
  }
  for (const [name, [session, level]] of Object.entries(cases)) {
    test(name, () => expect(levelOf(session)).toBe(level))
  }

  test('it is void where it is not renewed', () => {
    const session = run(told('confirmed_stuck', 'stdin', 5, { hold: 100 }))
    expect(session.verdict.recheckAt).toBe(105)
    expect(levelOf(advance(session, 104))).toBe('confirmed_stuck/stdin')
    expect(levelOf(advance(session, 105))).toBe('healthy/')
  })

  test('a known cause excuses the silence of a turn', () => {
    const silent = run(main({ kind: 'working' }, 1))
    expect(levelOf(advance(silent, 400_000))).toBe('suspicious/no_progress')
    expect(levelOf(advance(run(main({ kind: 'working' }, 1), told('healthy', 'network', 5)), 400_000))).toBe(
      'healthy/network',
    )
  })

  test('any number of owners takes bounded room', () => {
    let session = newSession(0)
    for (let n = 0; n < 1000; n++)
      session = advance(session, n, told('healthy', 'computing', n, { owner: `pid:${n}` }))
    expect(Object.keys(session.healthByOwner).length).toBeLessThanOrEqual(32)
    expect(Object.keys(session.healthByOwner)).toContain('pid:999')
  })
})

describe('in words', () => {
  for (const cause of Object.keys(causes) as Cause[]) {
    test(cause, () => {
      const { verdict } = run(told('confirmed_stuck', cause, 5, { advice: 'close its stdin' }))
      expect(explain(verdict, 65_005)).toContain(
        `Stuck for 1 min 5 s (${causes[cause]}): cat(7) reads a pipe. Close its stdin.`,
      )
    })
  }

  test('a silent turn', () => {
    const { verdict } = advance(run(main({ kind: 'working' }, 1)), 400_000)
    expect(explain(verdict, 400_000)).toMatch(/\. No sign of progress for more than five minutes\.$/)
  })

  test('a healthy one needs none', () => {
    expect(explain(run(told('healthy', 'computing', 5)).verdict, 10)).not.toContain('computes')
  })
})
