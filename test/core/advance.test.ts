import { describe, expect, test } from 'vitest'
import { advance, startedSession } from '../../src/core/advance.ts'
import type { HealthSignal, News, Signal } from '../../src/core/evidence/signal.ts'
import { idleConfidence } from '../../src/core/judge/idle-confidence.ts'
import { judgeHealth } from '../../src/core/judge/judge-health.ts'
import { newSession, type Session } from '../../src/core/session.ts'
import type { Doing, State } from '../../src/core/state.ts'
import { news, sessionOf, sign, tracked } from '../support/core-signals.ts'

/** How signals are filed, one by one. Times are ms. */

const filed = (signals: readonly Signal[], from: Session = newSession(0)): Session =>
  signals.reduce(
    (session, signal) => advance(session, 'seen' in signal ? signal.seen : signal.at, signal),
    from,
  )

describe('a session begins', () => {
  test('as nothing is known of it', () => {
    expect(newSession(7)).toMatchObject({ now: 7, facts: {}, lanes: {}, signs: {}, healthByOwner: {} })
    expect(newSession(7).verdict).toMatchObject({
      state: { kind: 'unknown' },
      rule: 'nothing',
      since: 7,
      turn: 0,
    })
    expect(newSession(7).verdict).toMatchObject({ confidence: 0, turnOver: false, because: [] })
    expect(newSession(7).kindByNews).toEqual({ kind: 'unknown', since: 7 })
  })

  test('with the start of its process, where that was seen', () => {
    const session = startedSession(7)
    expect(session.verdict).toMatchObject({ state: { kind: 'starting' }, rule: 'news', since: 7 })
    expect(session.verdict.because).toEqual([
      {
        type: 'news',
        source: 'session',
        what: 'process start',
        lane: 'main',
        state: { kind: 'starting' },
        at: 7,
        seen: 7,
      },
    ])
    expect(session.instant).toBeUndefined()
  })
})

describe('facts', () => {
  const facts = (at: number, more: object) => ({ type: 'facts', facts: more, at }) as const

  test('are added to what is known, and the newer win', () => {
    const session = filed([facts(5, { model: 'a', cwd: '/x' }), facts(6, { model: 'b' })])
    expect(session.facts).toEqual({ model: 'b', cwd: '/x' })
  })

  test('tell when the counts of tokens changed last', () => {
    const since = (...all: readonly Signal[]) => filed(all).tokensAt
    expect(since(facts(5, { model: 'a' }))).toBeUndefined()
    expect(since(facts(5, { tokensIn: 1 }))).toBe(5)
    expect(since(facts(5, { tokensOut: 1 }))).toBe(5)
    expect(since(facts(5, { tokensIn: 1 }), facts(6, { tokensIn: 1, model: 'a' }))).toBe(5)
    expect(since(facts(5, { tokensIn: 1 }), facts(6, { tokensOut: 0 }))).toBe(6)
    expect(since(facts(5, { tokensIn: 1, tokensOut: 1 }), facts(6, { tokensOut: 2 }))).toBe(6)
  })

  test('tell how a turn ended until the next one begins', () => {
    const end = { finalMessage: 'Done.', error: 'none' }
    const prompt = (at: number) => news('working', at, { starts: true })
    const over = filed([prompt(1), news('idle', 2), facts(3, end)])
    expect(filed([], over).facts).toEqual(end)
    expect(filed([prompt(5)], over).facts).toEqual({})
  })

  test('tell what a dialog asks, until another one opens', () => {
    const asks = (at: number, lane: News['lane']) => news('waiting', at, { lane })
    const asked = filed([news('working', 1), asks(2, 'ask:main:a'), facts(3, { question: 'rm -rf build' })])
    expect(filed([asks(4, 'ask:main:a')], asked).facts.question).toBe('rm -rf build')
    expect(filed([asks(4, 'ask:main:b')], asked).facts).toEqual({})
  })

  test('of one instant stay learnt, though other signals of it are filed anew', () => {
    const session = filed([
      news('working', 5, { source: 'transcript' }),
      facts(5, { model: 'a', tokensIn: 1 }),
      news('waiting', 5),
    ])
    expect(session.facts).toEqual({ model: 'a', tokensIn: 1 })
    expect(session.tokensAt).toBe(5)
    const other = filed([
      news('working', 5, { source: 'transcript' }),
      facts(5, { model: 'a' }),
      news('waiting', 5),
    ])
    expect(other.tokensAt).toBeUndefined()
    expect(other.instant?.signals.map(({ source }) => source)).toEqual(['hook', 'transcript'])
  })

  test('at a later instant judge again', () => {
    const session = filed([news('working', 5, { hold: 10 })])
    expect(advance(session, 5, facts(5, { model: 'a' })).verdict).toBe(session.verdict)
    expect(advance(session, 20, facts(20, {})).verdict.state.kind).toBe('unknown')
  })
})

describe('time', () => {
  const session = filed([news('working', 50)])

  test('never runs back', () => {
    expect(advance(session, 40).now).toBe(50)
    expect(advance(session, 40)).toBe(session)
    expect(advance(session, 40, sign('title', 'idle', 40)).now).toBe(50)
    expect(advance(session, 60).now).toBe(60)
  })

  test('of what is stamped in the future is now', () => {
    expect(advance(session, 60, news('waiting', 900)).lanes.main?.news.at).toBe(60)
    expect(advance(session, 60, sign('title', 'idle', 900)).signs.title?.sign.since).toBe(60)
    const report: HealthSignal = {
      type: 'health',
      source: 'process',
      owner: 'pid:7',
      what: 'it reads',
      health: { level: 'suspicious', certainty: 'low' },
      since: 900,
      seen: 60,
      alive: true,
    }
    expect(advance(session, 60, report).healthByOwner['pid:7']?.since).toBe(60)
    expect(advance(session, 60, { ...report, since: 55 }).healthByOwner['pid:7']?.since).toBe(55)
    expect(advance(session, 60, news('waiting', 55)).lanes.main?.news.at).toBe(55)
    expect(advance(session, 60, sign('title', 'idle', 55)).signs.title?.sign.since).toBe(55)
  })

  test('that passes is measured against the verdict before', () => {
    const later = advance(session, 60)
    expect(later.before).toBe(session.verdict)
    expect(later.instant).toBeUndefined()
  })
})

test('the first end of a process is its end', () => {
  const exit = (code: number, at: number): Signal => ({
    type: 'exit',
    source: 'process',
    what: 'gone',
    code,
    at,
  })
  expect(filed([exit(1, 5), exit(2, 9)]).exit).toMatchObject({ code: 1 })
})

test('what is no signal is no more than the passing of time', () => {
  const odd = { type: 'rumour' } as unknown as Signal
  const session = filed([news('working', 5, { hold: 10 })])
  expect(advance(session, 20, odd).verdict.state.kind).toBe('unknown')
})

describe('news are filed', () => {
  const main = (...all: readonly News[]) => filed(all).lanes.main?.news

  test('the newer takes the older one’s place, and an older one none', () => {
    expect(main(news('working', 5), news('waiting', 9))?.state.kind).toBe('waiting')
    expect(main(news('waiting', 9), { ...news('working', 5), seen: 10 })?.state.kind).toBe('waiting')
    expect(main(news('waiting', 9), news('working', 9, { source: 'rows' }))?.state.kind).toBe('working')
  })

  test('what counts after some kinds only, counts after those', () => {
    const ready = (at: number, from: News['onlyFrom']) =>
      news('idle', at, { ...(from && { onlyFrom: from }) })
    expect(main(news('starting', 5), ready(9, ['starting']))?.state.kind).toBe('idle')
    expect(main(news('working', 5), ready(9, ['starting']))?.state.kind).toBe('working')
    expect(main(ready(9, ['unknown']))?.state.kind).toBe('idle')
    expect(main(ready(9, ['starting']))).toBeUndefined()
    expect(filed([ready(9, ['unknown'])]).turns.lastEnd).toBe(newSession(0).turns.lastEnd)
  })

  const end = (at: number, more: Partial<News> = {}) => news('idle', at, more)
  const start = (at: number, more: Partial<News> = {}) => news('working', at, { starts: true, ...more })

  test('a second word for an end adds to it, within two seconds and to the same turn', () => {
    const transcript = { source: 'transcript', asks: true } as const
    const ended = (later: Partial<News>, at: number) =>
      main(start(5), end(5000), end(at, { ...transcript, ...later }))
    expect(ended({}, 7000)).toMatchObject({ at: 5000, source: 'hook', asks: true })
    expect(ended({}, 7001)?.asks).toBeUndefined()
    const named = (a: string | undefined, b: string | undefined) =>
      main(start(5), end(5000, a ? { turn: a } : {}), end(5001, { ...transcript, ...(b && { turn: b }) }))
        ?.source
    expect(named('a', 'a')).toBe('hook')
    expect(named('a', undefined)).toBe('hook')
    expect(named(undefined, 'b')).toBe('hook')
    expect(named('a', 'b')).toBe('transcript')
    expect(main(end(5000), end(5001, transcript))?.source).toBe('transcript')
    expect(main(start(5), end(5000), end(5001, { ...transcript, onlyFrom: ['idle'] }))?.source).toBe(
      'transcript',
    )
  })

  test('an end that is stamped before its turn’s last work ends it, and counts from its stamp', () => {
    const session = filed([
      start(5, { turn: 'a' }),
      news('working', 900, { turn: 'a' }),
      end(800, { turn: 'a', seen: 950 }),
    ])
    expect(session.lanes.main).toMatchObject({ news: { state: { kind: 'idle' }, at: 800 }, by: ['hook'] })
  })

  test('an end that other news have overtaken, by their own stamps, is no end', () => {
    const stamped = news('working', 900, { seen: 950, source: 'transcript' })
    const of = (late: News, work = stamped) => filed([start(5), work, late]).lanes.main?.news.state.kind
    expect(of(end(800, { seen: 960 }))).toBe('working')
    expect(of(end(900, { seen: 960 }))).toBe('idle')
    expect(of(end(800, { seen: 960 }), { ...stamped, at: 950 })).toBe('idle')
    expect(of(news('waiting', 800, { seen: 960 }))).toBe('working')
    expect(filed([stamped, end(800, { lane: 'sub:a', seen: 960 })]).lanes['sub:a']?.news.state.kind).toBe(
      'idle',
    )
  })

  test('of the past, a second source of one end is a witness, and nothing else', () => {
    const ended = [start(5, { turn: 'a' }), end(5000, { turn: 'a' })]
    const again = end(5100, { turn: 'a', source: 'transcript' })
    expect(filed([...ended, again]).lanes.main?.by).toEqual(['hook', 'transcript'])
    const same = filed(ended)
    const call = advance(same, 5100, news('working', 5100, { turn: 'a' }))
    expect(call.lanes).toBe(same.lanes)
    expect(filed([...ended, news('working', 5100, { lane: 'queue', turn: 'a' })]).lanes.queue).toBeUndefined()
  })

  test('news that say nothing end lanes, and claim none', () => {
    const session = filed([
      start(5),
      news('working', 6, { lane: 'sub:a' }),
      news('unknown', 9, { ends: ['sub:*'] }),
    ])
    expect(Object.keys(session.lanes)).toEqual(['main'])
    expect(session.lanes.main?.news.state.kind).toBe('working')
  })

  test('the end of a subagent’s work ends no dialog of the turn', () => {
    const dialog = news('waiting', 6, { lane: 'ask:main:a' })
    expect(Object.keys(filed([start(5), dialog, end(9, { lane: 'sub:a' })]).lanes)).toContain('ask:main:a')
    expect(Object.keys(filed([start(5), dialog, end(9)]).lanes)).not.toContain('ask:main:a')
  })

  test('since when all of the news say what they say', () => {
    const session = filed([start(5), news('working', 9)])
    expect(session.kindByNews).toEqual({ kind: 'working', since: 5 })
    const asked = filed([news('waiting', 20, { lane: 'ask:sub:a', at: 15, seen: 20 })], session)
    expect(asked.kindByNews).toEqual({ kind: 'waiting', since: 15 })
    const answered = filed([news('unknown', 30, { ends: ['ask:sub:a'] })], asked)
    expect(answered.kindByNews).toEqual({ kind: 'working', since: 30, waitedUntil: 30 })
    const nothing = filed([news('unknown', 40, { ends: ['main'] })], answered)
    expect(nothing.kindByNews).toEqual({ kind: 'unknown', since: 40, waitedUntil: 30 })
  })
})

describe('silence', () => {
  const working = (doing?: Doing): State => ({ kind: 'working', ...(doing && { doing }) })
  const session = sessionOf(news('working', 1000))
  const of = (state: State, now: number, from = session) => judgeHealth(from, state, now)

  test.each<[State, boolean]>([
    [working(), true],
    [working('thinking'), true],
    [working('streaming'), true],
    [working('tool'), false],
    [working('compacting'), false],
    [working('background'), false],
    [working('retrying'), false],
    [working('command'), false],
    [{ kind: 'waiting', for: 'permission' }, false],
    [{ kind: 'idle' }, false],
    [{ kind: 'exited' }, false],
  ])('of five minutes, in the state %j, is suspicious: %s', (state, isSuspicious) => {
    const quiet = {
      health: { level: 'suspicious', cause: 'no_progress', certainty: 'low' },
      recheckAt: Infinity,
    }
    const healthy = { level: 'healthy', certainty: 'low' }
    expect(of(state, 301_000)).toEqual(isSuspicious ? quiet : { health: healthy, recheckAt: Infinity })
    expect(of(state, 300_999)).toEqual({ health: healthy, recheckAt: isSuspicious ? 301_000 : Infinity })
  })

  test('is broken by any news and by any sign that moves, but not by paint', () => {
    const recheckAt = (from: Session) => of(working(), 300_000, from).recheckAt
    expect(recheckAt(sessionOf(news('working', 1000, { seen: 2000 })))).toBe(302_000)
    expect(recheckAt(sessionOf(news('working', 1000), [tracked(sign('title', 'working', 3000))]))).toBe(
      303_000,
    )
    expect(recheckAt(sessionOf(news('working', 1000), [tracked(sign('title', 'working', 500))]))).toBe(
      301_000,
    )
    const paint = tracked(sign('paint', 'working', 3000, { tier: 'inferred' }))
    expect(recheckAt(sessionOf(news('working', 1000), [paint]))).toBe(301_000)
    const lanes = { ...session.lanes, 'sub:a': { news: news('idle', 4000, { lane: 'sub:a' }), by: [] } }
    expect(recheckAt({ ...session, lanes })).toBe(304_000)
    expect(recheckAt(newSession(0))).toBe(Infinity)
  })
})

describe('reports of health', () => {
  const report = (
    owner: string,
    level: 'healthy' | 'suspicious' | 'likely_stuck' | 'confirmed_stuck',
    hold?: number,
  ) =>
    ({
      type: 'health',
      source: 'process',
      owner,
      what: 'it reads',
      health: { level, certainty: 'high' },
      since: 1000,
      seen: 1000,
      alive: true,
      ...(hold !== undefined && { hold }),
    }) as const
  const among = (...reports: readonly HealthSignal[]) =>
    judgeHealth(
      { ...newSession(0), healthByOwner: Object.fromEntries(reports.map(one => [one.owner, one])) },
      { kind: 'working', doing: 'tool' },
      2000,
    )

  test('the worst counts, and of equal ones the first by name', () => {
    const levels = ['healthy', 'suspicious', 'likely_stuck', 'confirmed_stuck'] as const
    for (const [at, worse] of levels.entries())
      for (const better of levels.slice(0, at)) {
        expect(among(report('a', worse), report('b', better)).by?.owner).toBe('a')
        expect(among(report('a', better), report('b', worse)).by?.owner).toBe('b')
      }
    expect(among(report('b', 'suspicious'), report('a', 'suspicious')).by?.owner).toBe('a')
  })

  test('none that is void, and until one is', () => {
    expect(among(report('a', 'suspicious', 1001)).recheckAt).toBe(2001)
    expect(among(report('a', 'suspicious', 1000)).by).toBeUndefined()
    expect(among(report('a', 'suspicious', 1500), report('b', 'healthy', 1200)).recheckAt).toBe(2200)
    expect(among(report('a', 'suspicious'))).toMatchObject({ recheckAt: Infinity, by: { owner: 'a' } })
  })
})

describe('the idle confidence of document 003', () => {
  const idle = (by: readonly ('hook' | 'transcript' | 'rows')[], more: Partial<Session> = {}) =>
    idleConfidence({ ...sessionOf(news('idle', 1000), [], by), ...more }, 20_000)
  const paint = (seen: number) => ({
    paint: tracked(sign('paint', 'working', 5, { tier: 'inferred', seen })),
  })
  const state = (kind: 'working' | 'waiting' | 'idle') => {
    const { verdict } = newSession(0)
    const says: State = kind === 'waiting' ? { kind, for: 'plan' } : { kind }
    return { verdict: { ...verdict, state: says } }
  }

  test.each<[string, () => number, number]>([
    ['a hook that ends the turn', () => idle(['hook']), 100],
    ['a transcript that shows it', () => idle(['transcript']), 30],
    ['neither', () => idle(['rows']), 0],
    ['a terminal that is silent for ten seconds', () => idle(['rows'], { signs: paint(10_000) }), 30],
    ['one that is not', () => idle(['rows'], { signs: paint(10_001) }), 0],
    ['tokens that do not change for ten seconds', () => idle(['rows'], { tokensAt: 10_000 }), 20],
    ['tokens that did', () => idle(['rows'], { tokensAt: 10_001 }), 0],
    ['all three', () => idle(['transcript'], { signs: paint(5), tokensAt: 5 }), 80],
    ['work', () => idle(['hook'], state('working')), 0],
    ['a dialog', () => idle(['hook'], state('waiting')), 0],
    ['idleness', () => idle(['hook'], state('idle')), 100],
    [
      'a dialog of a subagent',
      () => idle(['hook'], { lanes: { 'ask:sub:a': { news: news('waiting', 5), by: [] } } }),
      0,
    ],
    ['work that a hook tells of', () => idleConfidence(sessionOf(news('working', 1000)), 20_000), 0],
    [
      'a lane of another name',
      () => idle(['hook'], { lanes: { 'sub:ask:': { news: news('idle', 5), by: ['hook'] } } }),
      0,
    ],
  ])('%s', (_, sum, expected) => expect(sum()).toBe(expected))
})
