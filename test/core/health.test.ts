import { describe, expect, test } from 'vitest'
import type { HealthSignal, News, Signal } from '../../src/core/evidence/signal.ts'
import { explain } from '../../src/core/explain/explain.ts'
import { causes } from '../../src/core/explain/explain-health.ts'
import { advance, newSession, type Session, startedSession } from '../../src/core/session.ts'
import type { Cause, Health, State } from '../../src/core/state.ts'
import { readReport, reportHoldMs, writeReport } from '../../src/process/health-report.ts'
import { lull, temporaryFile } from '../support/lull.ts'

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
  says,
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
    expect(Object.keys(session.vitals).length).toBeLessThanOrEqual(32)
    expect(Object.keys(session.vitals)).toContain('pid:999')
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

const report = (level: Health['level'], certainty: Health['certainty'], more: object = {}): string =>
  writeReport({
    pid: 7,
    health: { level, cause: 'stdin', certainty },
    held: 2000,
    reason: 'blocked 2 s: cat(7) reads its stdin',
    summary: 'cat(7) reads its stdin',
    safeToKill: false,
    cause: 'stdin',
    proof: 'proven',
    metrics: {
      cpuPercent: 0,
      delayPercent: 0,
      ioBytes: 0,
      connections: 0,
      threads: 1,
      fds: 3,
      residentBytes: 1,
      processes: 1,
    },
    ...more,
  })

describe('a report of processes', () => {
  const signalsOf = (data: string, isCommand = true) => {
    const signals = readReport(data, 10_000, isCommand)
    if (typeof signals === 'string') throw new Error(signals)
    return signals
  }

  test('tells a command its state and its health', () => {
    expect(signalsOf(report('confirmed_stuck', 'certain'))).toMatchObject([
      {
        type: 'health',
        owner: 'pid:7',
        what: 'cat(7) reads its stdin',
        health: { level: 'confirmed_stuck', cause: 'stdin', certainty: 'certain' },
        hold: reportHoldMs,
        since: 8000,
      },
      { type: 'sign', tier: 'proven', says: { kind: 'working', doing: 'command' } },
    ])
  })

  test('an agent only its health: it tells its state itself', () => {
    expect(signalsOf(report('suspicious', 'low'), false).map(({ type }) => type)).toEqual(['health'])
  })

  test('input from a terminal is a person’s to give', () => {
    const [, sign] = signalsOf(report('suspicious', 'medium', { isTerminal: true }))
    expect(sign).toMatchObject({ says: { kind: 'waiting', for: 'input' } })
  })

  test('samples of other recorders are passed over', () => {
    expect(readReport('{"procs":[]}', 0, true)).toEqual([])
  })

  const broken: Readonly<Record<string, string>> = {
    'no JSON': '{"pid":7,',
    'a list': '[]',
    'no pid': '{"health":{"level":"healthy","certainty":"low"},"reason":"x"}',
    'no level': '{"pid":7,"reason":"x","health":{"level":"fine","certainty":"low"}}',
    'no certainty': '{"pid":7,"reason":"x","health":{"level":"healthy"}}',
    'no health': '{"pid":7,"reason":"x","health":null}',
  }
  for (const [name, data] of Object.entries(broken)) {
    test(`${name} is refused with a reason`, () =>
      expect(readReport(data, 0, true)).toEqual(expect.any(String)))
  }

  test('a cause that is not known is left out', () => {
    const [signal] = signalsOf(
      report('suspicious', 'low', {
        health: { level: 'suspicious', cause: 'constructor', certainty: 'low' },
      }),
    )
    expect(signal).toMatchObject({ health: { level: 'suspicious', certainty: 'low' } })
    expect(signal).not.toHaveProperty('health.cause')
  })
})

describe('a recording of a run', () => {
  const trace = [
    JSON.stringify({ version: 2, width: 80, height: 24, lull: { trace: 1, agent: 'command' } }),
    JSON.stringify([0.5, 'p', report('healthy', 'low', { held: 0, cause: undefined })]),
    JSON.stringify([1, 'o', 'hello\r\n']),
    JSON.stringify([4, 'p', report('confirmed_stuck', 'certain')]),
    JSON.stringify([5, 'h', '{"event":"Stop"}']),
    JSON.stringify([6, 'x', '{"code":0}']),
  ]

  test('is judged again without --agent', async () => {
    const file = temporaryFile('run.cast', `${trace.join('\n')}\n`)
    const { code, stdout, stderr } = await lull(['replay', '--json', file])
    expect(code).toBe(0)
    const rows = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    expect(rows.map(({ t, state, health, cause }) => [t, state, health, cause])).toEqual([
      [0, 'starting', 'healthy', undefined],
      [0.5, 'working', 'healthy', 'stdin'],
      [4, 'working', 'confirmed_stuck', 'stdin'],
      [6, 'exited', 'healthy', undefined],
    ])
    expect(rows[2]).toMatchObject({
      certainty: 'certain',
      healthSince: 2,
      healthWhy: 'cat(7) reads its stdin',
    })
    expect(stderr).toContain('a hook of an agent in a session of a command')
    expect((await lull(['replay', '--json', file])).stdout).toBe(stdout)
  })

  test('is explained at an instant', async () => {
    const file = temporaryFile('run.cast', `${trace.join('\n')}\n`)
    const { stdout } = await lull(['explain', file, '--at', '5s'])
    expect(stdout).toContain('Stuck for 3.0 s (it waits for input): cat(7) reads its stdin.')
  })
})
