import { describe, expect, test } from 'vitest'
import type { News, Sign } from '../../src/core/evidence/signal.ts'
import { describeState } from '../../src/core/explain/explain.ts'
import { confidenceOf } from '../../src/core/judge/confidence.ts'
import { judge } from '../../src/core/judge/judge.ts'
import { firstVerdict, type Rule, type Verdict } from '../../src/core/judge/verdict.ts'
import type { Session, TrackedStatus } from '../../src/core/session.ts'
import { newSession } from '../../src/core/session.ts'
import type { Kind, State } from '../../src/core/state.ts'
import { news, sessionOf, sign, tracked } from '../support/core-signals.ts'

/** The rule, case by case: what one piece of news and some signs come to. Times are ms; it is judged at 9000. */

const ruled = (session: Session, now = 9000): string => {
  const { state, rule } = judge(session, now)
  return `${describeState(state)} ${rule}`
}

const idleSign = (
  since: number,
  more: Partial<Sign> = {},
  trust: Partial<TrackedStatus> = { stepsOwed: 0 },
) => tracked(sign('status', 'idle', since, { excludes: ['working', 'waiting'], ...more }), trust)

describe('news', () => {
  test('alone are believed', () => {
    expect(ruled(sessionOf(news('working', 1000)))).toBe('working news')
    expect(ruled(sessionOf(news('waiting', 1000)))).toBe('waiting/permission news')
  })

  test('that a sign sides with are agreed', () => {
    expect(ruled(sessionOf(news('working', 1000), [tracked(sign('status', 'working', 5))]))).toBe(
      'working agreed',
    )
    const late = tracked(sign('status', 'working', 5), { onProbation: true })
    expect(ruled(sessionOf(news('working', 1000), [late]))).toBe('working news')
  })

  test('none, and no sign', () => expect(ruled(newSession(0))).toBe('unknown nothing'))
})

describe('a sign without news', () => {
  test.each<[string, TrackedStatus, string]>([
    ['is believed', tracked(sign('status', 'working', 5)), 'working sign'],
    ['idle, is believed where it may overturn news', idleSign(5), 'idle sign'],
    ['idle, is not where it may not', tracked(sign('status', 'idle', 5)), 'unknown nothing'],
    ['that is to come, is not yet', tracked(sign('status', 'working', 9001)), 'unknown nothing'],
    ['that is gone, is not', tracked(sign('status', 'working', 5, { alive: false })), 'unknown nothing'],
    ['that says nothing, is not', tracked(sign('status', 'unknown', 5)), 'unknown nothing'],
    [
      'that is inferred, is not where it only casts doubt',
      tracked(sign('status', 'working', 5, { tier: 'inferred' })),
      'unknown nothing',
    ],
    ['that is inferred, is where it may overturn', idleSign(5, { tier: 'inferred' }), 'idle sign'],
    ['on probation, is', tracked(sign('status', 'working', 5), { onProbation: true }), 'working sign'],
  ])('%s', (_, status, verdict) => expect(ruled(sessionOf(undefined, [status]))).toBe(verdict))

  test('that is inferred is worth no more than a guess, and nothing against another or news', () => {
    const guess = idleSign(2000, { tier: 'inferred' })
    expect(judge(sessionOf(undefined, [guess]), 9000).confidence).toBe(0.8)
    const proven = tracked(sign('process', 'working', 5, { tier: 'proven', excludes: ['idle'] }))
    expect(ruled(sessionOf(undefined, [guess, proven]))).toBe('working sign')
    expect(ruled(sessionOf(news('working', 1000), [guess]))).toBe('working news')
  })

  test.each([
    [8001, 'working sign', 9001],
    [8000, 'unknown nothing', undefined],
  ])('that is seen last at %i and holds for a second: %s', (seen, verdict, recheckAt) => {
    const session = sessionOf(undefined, [tracked(sign('status', 'working', 5, { seen, hold: 1000 }))])
    expect(ruled(session)).toBe(verdict)
    expect(judge(session, 9000).recheckAt).toBe(recheckAt)
  })

  test('the end of the first that holds is when to judge again', () => {
    const holding = (source: 'status' | 'title', hold: number) =>
      tracked(sign(source, 'working', 5, { seen: 8500, hold }))
    expect(judge(sessionOf(undefined, [holding('status', 900), holding('title', 700)]), 9000).recheckAt).toBe(
      9200,
    )
    expect(judge(sessionOf(undefined, [holding('status', 700), holding('title', 900)]), 9000).recheckAt).toBe(
      9200,
    )
  })
})

describe('of several signs', () => {
  const of = (source: 'status' | 'title' | 'screen', kind: Kind, since: number, tier: Sign['tier']) =>
    tracked(sign(source, kind, since, { tier, excludes: ['working'] }), { stepsOwed: 0 })
  const tiers: readonly Sign['tier'][] = ['proven', 'declared', 'seen', 'asked']

  test('the one of the highest tier decides, whatever its age and its place', () => {
    for (const [high, low] of tiers.flatMap((a, at) => tiers.slice(at + 1).map(b => [a, b] as const))) {
      const both = [of('title', 'idle', 5, high), of('status', 'working', 50, low)]
      expect([high, low, ruled(sessionOf(undefined, both))]).toEqual([high, low, 'idle sign'])
      expect([high, low, ruled(sessionOf(undefined, both.toReversed()))]).toEqual([high, low, 'idle sign'])
    }
  })

  test('of one tier the newest, and of equally old ones the first by name', () => {
    const newest = [of('title', 'idle', 50, 'seen'), of('status', 'working', 5, 'seen')]
    expect(ruled(sessionOf(undefined, newest))).toBe('idle sign')
    expect(ruled(sessionOf(undefined, newest.toReversed()))).toBe('idle sign')
    const equal = [of('title', 'idle', 5, 'seen'), of('status', 'working', 5, 'seen')]
    expect(ruled(sessionOf(undefined, equal))).toBe('working sign')
    expect(ruled(sessionOf(undefined, equal.toReversed()))).toBe('working sign')
  })
})

describe('a sign busier than the news', () => {
  const waits = (since: number, more: Partial<Sign> = {}, trust: Partial<TrackedStatus> = {}) =>
    tracked(sign('status', 'waiting', since, more), trust)

  test.each<[string, TrackedStatus, number, string]>([
    ['that moved after them, at once', waits(1001), 1001, 'waiting/permission busier'],
    ['that moved with them, within its lag', waits(1000), 1500, 'working news'],
    ['that moved with them, beyond its lag', waits(1000), 1501, 'waiting/permission busier'],
    ['that stood before, within its lag', waits(5), 1500, 'working news'],
    ['that stood before, beyond its lag', waits(5), 1501, 'waiting/permission busier'],
    ['on probation, never', waits(5, {}, { onProbation: true }), 9000, 'working contradicted'],
  ])('%s', (_, status, now, verdict) =>
    expect(ruled(sessionOf(news('working', 1000), [status]), now)).toBe(verdict),
  )

  test('which they allow, at once', () => {
    const session = sessionOf(news('working', 1000, { allows: ['waiting'] }), [waits(5)])
    expect(ruled(session, 1000)).toBe('waiting/permission busier')
  })

  test('is when to judge again', () => {
    expect(judge(sessionOf(news('idle', 1000), [waits(5)]), 1200).recheckAt).toBe(1501)
  })
})

test('what a program calls a permission for want of a better word is what its screen shows', () => {
  const trust = tracked(sign('screen', 'waiting', 2000, { state: { kind: 'waiting', for: 'trust' } }))
  const blocked = tracked(sign('osc7501', 'waiting', 2000))
  expect(ruled(sessionOf(news('starting', 1000), [blocked, trust]), 5000)).toBe('waiting/trust busier')
  expect(ruled(sessionOf(news('starting', 1000), [blocked]), 5000)).toBe('waiting/permission busier')
})

test('what tries again is told by the screen that shows it, whatever else says that it works', () => {
  const busy = tracked(sign('status', 'working', 1500))
  const shown = (since: number) =>
    tracked(sign('screen', 'working', since, { state: { kind: 'working', doing: 'retrying' } }))
  const thinks = news('working', 1000, { state: { kind: 'working', doing: 'thinking' } })
  expect(ruled(sessionOf(thinks, [busy, shown(2000)]), 5000)).toBe('working/retrying agreed')
  expect(ruled(sessionOf(thinks, [busy, shown(900)]), 5000)).toBe('working/thinking agreed')
  expect(ruled(sessionOf(thinks, [busy]), 5000)).toBe('working/thinking agreed')
})

describe('a dialog of some kind that a source tells of, while the screen shows a menu', () => {
  const dialog = tracked(sign('status', 'waiting', 2000, { state: { kind: 'waiting', for: 'dialog' } }))
  const shown = tracked(sign('screen', 'unknown', 2000, { seen: 8000, hold: 5000 }))
  const withMenu = (told: News, status = dialog, more: Partial<Session> = {}): Session => ({
    ...sessionOf(told, [status, shown]),
    facts: { menu: 'Select model' },
    ...more,
  })

  test('is that menu, where no turn is open, as long as the screen is known', () => {
    const session = withMenu(news('idle', 1000))
    expect(ruled(session, 12_000)).toBe('idle news')
    expect(judge(session, 12_000).recheckAt).toBe(13_000)
    expect(ruled(session, 13_000)).toBe('waiting/dialog busier')
  })

  test('blocks a turn that is open, and a permission is none', () => {
    const turns = { ...newSession(0).turns, open: { startedAt: 1000 } }
    expect(ruled(withMenu(news('working', 1000), dialog, { turns }))).toBe('waiting/dialog busier')
    const permission = tracked(sign('status', 'waiting', 2000))
    expect(ruled(withMenu(news('idle', 1000), permission), 12_000)).toBe('waiting/permission busier')
  })

  test('is a dialog where none is shown', () => {
    expect(ruled(withMenu(news('idle', 1000), dialog, { facts: {} }), 12_000)).toBe('waiting/dialog busier')
  })
})

describe('a sign quieter than the news', () => {
  test.each<[string, TrackedStatus, string]>([
    ['that moved after them and may overturn them', idleSign(1001), 'idle overturned'],
    ['that did not move after them', idleSign(1000), 'working contradicted'],
    ['that owes a step', idleSign(1001, {}, { stepsOwed: 1 }), 'working contradicted'],
    ['on probation', idleSign(1001, {}, { stepsOwed: 0, onProbation: true }), 'working contradicted'],
    ['that may not overturn them', idleSign(1001, { excludes: ['waiting'] }), 'working contradicted'],
    [
      'that waits less than it works',
      tracked(sign('status', 'starting', 1001, { excludes: ['working'] }), { stepsOwed: 1 }),
      'starting overturned',
    ],
  ])('%s', (_, status, verdict) => expect(ruled(sessionOf(news('working', 1000), [status]))).toBe(verdict))

  test('whose source tells of the turn alone does not contradict what outlasts it', () => {
    const outlasting = news('working', 1000, { outlasts: ['status'] })
    expect(ruled(sessionOf(outlasting, [idleSign(1001)]))).toBe('working contradicted')
    expect(ruled(sessionOf(news('working', 1000, { outlasts: ['title'] }), [idleSign(1001)]))).toBe(
      'idle overturned',
    )
    const starting = tracked(sign('status', 'starting', 1001, { excludes: ['working'] }))
    expect(ruled(sessionOf(outlasting, [starting]))).toBe('starting overturned')
  })

  const working = (more: Partial<Sign> = {}, trust: Partial<TrackedStatus> = {}) =>
    tracked(sign('title', 'working', 5, { lag: 300, ...more }), trust)

  test.each<[string, TrackedStatus, number]>([
    ['by its lag from when it was seen', working({ seen: 2000 }), 2300],
    ['by its lag from when the other moved', working({ seen: 5 }), 1301],
    [
      'not by one that says otherwise',
      tracked(sign('title', 'waiting', 5, { lag: 300 }), { onProbation: true }),
      1001,
    ],
    ['not by one on probation', working({}, { onProbation: true }), 1001],
  ])('is held up by a sign that sides with the news: %s', (_, other, from) => {
    const session = sessionOf(news('working', 1000), [idleSign(1001), other])
    expect(judge(session, from).state.kind).toBe('idle')
    expect(judge(session, from - 1).state.kind).toBe('working')
    if (from > 1001) expect(judge(session, from - 1).recheckAt).toBe(from)
  })
})

describe('while the program starts', () => {
  test.each<[string, TrackedStatus, number, string]>([
    ['a busy sign is believed at once', tracked(sign('status', 'working', 1500)), 1500, 'working busier'],
    ['an idle one as well, where nothing has to settle', idleSign(1500), 1500, 'idle busier'],
    ['one that has to settle, not yet', idleSign(1500, { settles: 400 }), 1899, 'starting contradicted'],
    ['and then', idleSign(1500, { settles: 400 }), 1900, 'idle busier'],
    [
      'a busy one has not',
      tracked(sign('status', 'working', 1500, { settles: 400 })),
      1500,
      'working busier',
    ],
    [
      'one on probation as well',
      tracked(sign('status', 'working', 1500), { onProbation: true }),
      1500,
      'working busier',
    ],
  ])('%s', (_, status, now, verdict) =>
    expect(ruled(sessionOf(news('starting', 1000), [status]), now)).toBe(verdict),
  )

  const up = (verdict: Partial<Verdict>): Session => ({
    ...sessionOf(news('starting', 1000)),
    now: 2000,
    verdict: { ...firstVerdict(0), state: { kind: 'idle' }, since: 1500, ...verdict },
  })

  test('a program that was up does not start again', () => {
    expect(ruled(up({}))).toBe('unknown doubt')
    expect(ruled(up({ state: { kind: 'starting' } }))).toBe('starting news')
    expect(ruled(up({ since: 1000 }))).toBe('starting news')
    expect(ruled({ ...up({}), lanes: sessionOf(news('idle', 1000)).lanes })).toBe('idle news')
    const settles = idleSign(8900, { settles: 400 })
    expect(ruled({ ...up({}), signs: { status: settles } })).toBe('idle busier')
  })

  test('the verdict before an instant is what it is measured against', () => {
    const before = { ...firstVerdict(0), state: { kind: 'idle' }, since: 1500 } as const
    expect(ruled({ ...up({ state: { kind: 'starting' } }), before }, 2000)).toBe('unknown doubt')
    expect(ruled({ ...up({ state: { kind: 'starting' } }), before }, 2001)).toBe('starting news')
  })
})

describe('of two claims of one kind, the details', () => {
  const of = (says: State, more: State, since = 2000) =>
    describeState(
      judge(
        sessionOf({ ...news('idle', 1000), state: says }, [
          tracked({ ...sign('status', 'idle', since), state: more }),
        ]),
        9000,
      ).state,
    )
  test.each<[State, State, string]>([
    [{ kind: 'waiting', for: 'dialog' }, { kind: 'waiting', for: 'plan' }, 'waiting/plan'],
    [{ kind: 'waiting', for: 'permission' }, { kind: 'waiting', for: 'dialog' }, 'waiting/permission'],
    [{ kind: 'idle' }, { kind: 'idle', after: 'error' }, 'idle/error'],
    [{ kind: 'idle', after: 'turn' }, { kind: 'idle', after: 'error' }, 'idle/turn'],
    [{ kind: 'working' }, { kind: 'working', doing: 'tool' }, 'working/tool'],
    [{ kind: 'working', doing: 'thinking' }, { kind: 'working' }, 'working/thinking'],
    [{ kind: 'working', doing: 'thinking' }, { kind: 'working', doing: 'tool' }, 'working/tool'],
  ])('%j and a later sign %j', (says, more, result) => expect(of(says, more)).toBe(result))

  test('of work are those of the newer, where both tell', () => {
    expect(of({ kind: 'working', doing: 'thinking' }, { kind: 'working', doing: 'tool' }, 1000)).toBe(
      'working/thinking',
    )
    expect(of({ kind: 'working' }, { kind: 'working', doing: 'tool' }, 1000)).toBe('working/tool')
  })
})

describe('a subagent that works', () => {
  const sub = news('working', 1000, { lane: 'sub:a', state: { kind: 'working', doing: 'tool' } })
  const open = { startedAt: 5 }

  test('once the turn is over is background work', () => {
    expect(ruled(sessionOf(sub))).toBe('working/background news')
    const session = sessionOf(sub)
    expect(ruled({ ...session, turns: { ...session.turns, open } })).toBe('working/tool news')
    expect(ruled(sessionOf({ ...sub, lane: 'bg:a' }))).toBe('working/tool news')
    expect(ruled(sessionOf({ ...sub, lane: 'sub:a', state: { kind: 'waiting', for: 'plan' } }))).toBe(
      'waiting/plan news',
    )
  })

  test('is no background work where a sign says what it is', () => {
    const waiting = tracked(sign('status', 'waiting', 5))
    expect(ruled(sessionOf(sub, [waiting]))).toBe('waiting/permission busier')
    const working = tracked(sign('status', 'working', 2000, { tier: 'proven' }))
    const idleSub = { ...sub, state: { kind: 'idle' } } as const
    expect(ruled(sessionOf(idleSub, [working]), 11_000)).toBe('working busier')
  })
})

describe('idleness is doubted', () => {
  const paint = (since: number, seen: number, hold = 1000) =>
    tracked(sign('paint', 'working', since, { tier: 'inferred', seen, hold }))
  const keys = (since: number, hold = 3000) =>
    tracked(sign('keys', 'working', since, { tier: 'inferred', seen: since, hold }))

  test.each<[string, TrackedStatus, number, string]>([
    ['by paint that begins anew, two seconds after', paint(3001, 3001), 3001, 'unknown doubt'],
    ['not by paint that began before', paint(3000, 3000), 3001, 'idle news'],
    ['by paint that goes on for five seconds', paint(1000, 5900), 6000, 'unknown doubt'],
    ['not before', paint(1000, 5900), 5999, 'idle news'],
    ['not by paint that has stopped', paint(3001, 3001), 4001, 'idle news'],
    ['by Enter', keys(1001), 1001, 'unknown doubt'],
    ['not by Enter that was typed before', keys(1000), 1001, 'idle news'],
    ['not by Enter of three seconds ago', keys(1001), 4001, 'idle news'],
    [
      'not by what has no end',
      tracked(sign('keys', 'working', 1001, { tier: 'inferred' })),
      1001,
      'idle news',
    ],
    [
      'not by a title',
      tracked(sign('title', 'working', 5, { tier: 'inferred', hold: 9000 })),
      1001,
      'idle news',
    ],
  ])('%s', (_, status, now, verdict) =>
    expect(ruled(sessionOf(news('idle', 1000), [status]), now)).toBe(verdict),
  )

  test('of a sign, from when it moved', () => {
    expect(ruled(sessionOf(undefined, [idleSign(1000), paint(3001, 3001)]), 3001)).toBe('unknown doubt')
    expect(ruled(sessionOf(undefined, [idleSign(1002), paint(3001, 3001)]), 3001)).toBe('idle sign')
  })

  test('work is not', () =>
    expect(ruled(sessionOf(news('working', 1000), [keys(1001)]), 1001)).toBe('working news'))

  test('until it may be believed again, and from when on it may not', () => {
    expect(judge(sessionOf(news('idle', 1000), [keys(1001)]), 1001)).toMatchObject({
      because: [{ source: 'keys' }, { source: 'hook' }],
      recheckAt: 4001,
    })
    expect(judge(sessionOf(news('idle', 1000), [paint(1000, 5900)]), 5950).recheckAt).toBe(6000)
    const held = news('idle', 1000, { hold: 500 })
    expect(judge(sessionOf(held, [keys(1001)]), 1001).recheckAt).toBe(1500)
    expect(judge(sessionOf(held, [paint(1000, 1200)]), 1200).recheckAt).toBe(1500)
    expect(judge(sessionOf(news('idle', 1000)), 1200).recheckAt).toBeUndefined()
  })

  test('for ever, where only the start of the program is known', () => {
    const started = news('idle', 1000, { onlyFrom: ['starting'] })
    expect(ruled(sessionOf(started, [keys(1001)]), 90_000)).toBe('unknown doubt')
    expect(judge(sessionOf(started, [keys(1001)]), 90_000).recheckAt).toBeUndefined()
    expect(ruled(sessionOf(started, [keys(1001)]), 1000)).toBe('idle news')
    expect(ruled(sessionOf(news('idle', 1000), [keys(1001)]), 90_000)).toBe('idle news')
  })
})

describe('a process that is gone', () => {
  const exit = { type: 'exit', source: 'process', what: 'gone', at: 5 } as const
  const gone = (more: object) =>
    judge({ ...sessionOf(news('working', 1000)), exit: { ...exit, ...more } }, 9000)

  test('is gone, whatever was heard', () => {
    expect(gone({})).toMatchObject({ rule: 'exit', because: [exit], turnOver: true })
    expect(gone({}).state).toEqual({ kind: 'exited' })
    expect(gone({ code: 3 }).state).toEqual({ kind: 'exited', code: 3 })
    expect(gone({ signal: 'SIGHUP' }).state).toEqual({ kind: 'exited', signal: 'SIGHUP' })
    expect(gone({})).not.toHaveProperty('recheckAt')
  })
})

describe('the turn', () => {
  type Case = readonly [string, Session, boolean]
  const turns = { ...newSession(0).turns, count: 1, lastEnd: 500 }
  const over = (session: Session): Session => ({ ...session, turns })
  const within = (session: Session): Session => ({ ...session, turns: { ...turns, open: { startedAt: 5 } } })
  const doing = (what: 'background' | 'retrying' | 'tool'): News => ({
    ...news('working', 1000),
    state: { kind: 'working', doing: what },
  })
  const doubted = (turnOver: boolean): Session => ({
    ...over(
      sessionOf(news('idle', 1000), [
        tracked(sign('keys', 'working', 8000, { tier: 'inferred', seen: 8000, hold: 3000 })),
      ]),
    ),
    before: { ...firstVerdict(0), turnOver },
  })
  const queued = (hold: object): Session => ({
    ...over(sessionOf(news('waiting', 1000))),
    lanes: {
      main: { news: news('waiting', 1000), by: ['hook'] },
      queue: { news: news('working', 1000, { lane: 'queue' }), by: ['hook'] },
    },
    ...hold,
  })

  test.each<Case>([
    ['is over where it is idle', within(sessionOf(news('idle', 1000))), true],
    ['is over where only background work goes on', within(sessionOf(doing('background'))), true],
    ['is not while it retries', over(sessionOf(doing('retrying'))), false],
    ['is not while it is open', within(sessionOf(doing('tool'))), false],
    ['is over though something works, where none is open', over(sessionOf(doing('tool'))), true],
    ['is not where none has begun', sessionOf(doing('tool')), false],
    ['is not where nothing is known', over(newSession(0)), false],
    ['stays over in doubt', doubted(true), true],
    ['stays open in doubt', doubted(false), false],
    [
      'is not where a sign alone tells of work',
      over(sessionOf(undefined, [tracked(sign('status', 'working', 5))])),
      false,
    ],
    [
      'nor where a sign is busier',
      over(sessionOf(news('idle', 1000), [tracked(sign('status', 'working', 5))])),
      false,
    ],
    ['is not while a prompt is queued', queued({ turns: { ...turns, lastEnd: 6001 } }), false],
    ['is once that was taken back', queued({ turns: { ...turns, lastEnd: 6000 } }), true],
  ])('%s', (_, session, isOver) => expect(judge(session, 9000).turnOver).toBe(isOver))

  const work = sessionOf(news('idle', 1000), [tracked(sign('status', 'working', 2000))])
  const before = { ...firstVerdict(0), turn: 1, turnOver: true }
  const unheard = (more: Partial<Session>): number =>
    judge({ ...work, now: 12_000, turns: { ...turns, lastStart: 500 }, before, ...more }, 12_000).turn

  test('that no news told of is one more', () => {
    expect(unheard({})).toBe(2)
    expect(unheard({ before: { ...before, turnOver: false } })).toBe(1)
    expect(unheard({ before: { ...before, turn: 0 } })).toBe(1)
    expect(unheard({ turns: { ...turns, lastStart: 12_000 } })).toBe(1)
    expect(unheard({ signs: {} })).toBe(1)
    expect(unheard({ signs: { status: tracked(sign('status', 'waiting', 2000)) } })).toBe(1)
    expect(unheard({ lanes: sessionOf(news('working', 1000)).lanes, signs: {} })).toBe(1)
  })
})

describe('a verdict', () => {
  const asks = (kind: Kind, more: Partial<News>) => judge(sessionOf(news(kind, 1000, more)), 9000)

  test('tells that the finished turn asks, and no other', () => {
    expect(asks('idle', { asks: true }).asks).toBe(true)
    expect(asks('idle', { asks: false })).not.toHaveProperty('asks')
    expect(asks('working', { asks: true })).not.toHaveProperty('asks')
    expect(asks('idle', {})).not.toHaveProperty('asks')
  })

  test('tells the limit of the news that it rests on', () => {
    expect(asks('idle', { limit: { until: 5 } }).limit).toEqual({ until: 5 })
    expect(asks('idle', {})).not.toHaveProperty('limit')
    const overturned = sessionOf(news('working', 1000, { limit: {} }), [idleSign(1001)])
    expect(judge(overturned, 9000)).not.toHaveProperty('limit')
    const agreed = sessionOf(news('idle', 1000, { limit: {} }), [idleSign(1001)])
    expect(judge(agreed, 9000).limit).toEqual({})
  })

  test('keeps since when it is so', () => {
    const session = { ...sessionOf(news('working', 1000)), now: 2000 }
    const working = { ...firstVerdict(0), state: { kind: 'working' }, since: 700 } as const
    expect(judge({ ...session, verdict: working }, 9000).since).toBe(700)
    expect(judge({ ...session, before: working }, 9000).since).toBe(9000)
    expect(judge({ ...session, before: working }, 2000).since).toBe(700)
  })

  test('is believed as far as its rule was right', () => {
    const rules: Readonly<Record<Exclude<Rule, 'busier' | 'contradicted'>, number>> = {
      exit: 0.99,
      agreed: 0.99,
      news: 0.98,
      overturned: 0.97,
      sign: 0.98,
      doubt: 0,
      halted: 0,
      nothing: 0,
    }
    const claim = { kind: 'working', than: 'working', knowsEnter: true, age: 0 } as const
    for (const [rule, right] of Object.entries(rules))
      expect(confidenceOf({ ...claim, rule: rule as Rule })).toBe(right)
    const contradicted = (kind: Kind) => confidenceOf({ ...claim, rule: 'contradicted', kind })
    const kinds = ['idle', 'starting', 'waiting', 'working'] as const
    expect(kinds.map(contradicted)).toEqual([0.98, 0.98, 0.7, 0.96])
    const unseen = { ...claim, rule: 'contradicted', knowsEnter: false } as const
    expect(confidenceOf(unseen)).toBe(0.5)
    expect(confidenceOf({ ...unseen, kind: 'idle', than: 'idle' })).toBe(0.98)
    const busierThan = (than: Kind) => confidenceOf({ ...claim, rule: 'busier', than })
    expect((['starting', 'working', 'idle'] as const).map(busierThan)).toEqual([0.98, 0.98, 0.98])
    expect(
      judge(sessionOf(news('idle', 1000), [tracked(sign('title', 'working', 1500))]), 11_000).confidence,
    ).toBe(0.98)
    expect(judge(sessionOf(news('working', 1000)), 9000).confidence).toBe(0.98)
  })

  test('that starts and is heard of no more is believed less and less, and judged again when it is', () => {
    const starts = sessionOf(news('starting', 1000))
    const at = (now: number) => {
      const { confidence, recheckAt } = judge(starts, now)
      return [confidence, recheckAt]
    }
    expect(at(1000)).toEqual([0.98, 3000])
    expect(at(2999)).toEqual([0.98, 3000])
    expect(at(3000)).toEqual([0.9, 6000])
    expect(at(6000)[0]).toBe(0.83)
    expect(at(6000)[1]).not.toBe(6000)
  })

  test('that a sign alone calls waiting is believed more once the sign has held', () => {
    const asks = sessionOf(news('working', 1000), [tracked(sign('title', 'waiting', 2000))])
    expect(judge(asks, 4000)).toMatchObject({ rule: 'busier', confidence: 0.92, recheckAt: 7000 })
    expect(judge(asks, 7000).confidence).toBe(0.98)
  })

  test('rests on its evidence, the sign first where it decides', () => {
    const sources = (session: Session) => judge(session, 9000).because.map(({ source }) => source)
    expect(sources(sessionOf(news('working', 1000)))).toEqual(['hook'])
    expect(sources(sessionOf(news('working', 1000), [idleSign(1001)]))).toEqual(['status', 'hook'])
    expect(sources(sessionOf(news('working', 1000), [idleSign(5)]))).toEqual(['hook', 'status'])
    expect(sources(sessionOf(news('idle', 1000), [idleSign(5)]))).toEqual(['hook', 'status'])
    expect(sources(sessionOf(undefined, [idleSign(5)]))).toEqual(['status'])
    expect(sources(newSession(0))).toEqual([])
  })

  test('of the first sign that contradicts the news, beyond its lag', () => {
    const title = tracked(sign('title', 'idle', 7, { lag: 8000 }))
    const session = sessionOf(news('working', 1000), [title, idleSign(5), tracked(sign('screen', 'idle', 4))])
    expect(judge(session, 9000).because[1]?.source).toBe('status')
    expect(judge(session, 9001).because[1]?.source).toBe('title')
  })
})
