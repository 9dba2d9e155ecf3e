/** What several sources come to that know different things: judged at 9000 where nothing else is said. Times are ms. */
import { describe, expect, test } from 'vitest'
import type { Sign, Source } from '../../src/core/evidence/signal.ts'
import { describeState } from '../../src/core/explain/explain.ts'
import { confidenceBesideUnread, confidenceUnchecked } from '../../src/core/judge/confidence.ts'
import { judge } from '../../src/core/judge/judge.ts'
import { firstVerdict, type Verdict } from '../../src/core/judge/verdict.ts'
import type { Session, TrackedStatus } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'
import { news, sessionOf, sign, tracked } from '../support/core-signals.ts'

const ruled = (session: Session, now = 9000): string => {
  const { state, rule } = judge(session, now)
  return `${describeState(state)} ${rule}`
}

const busy = { excludes: ['idle'] } as const
const quiet = { excludes: ['working', 'waiting'] } as const
const settled = { stepsOwed: 0 } as const
const dialog = (
  source: Sign['source'],
  kind: 'dialog' | 'permission',
  more: Partial<Sign> = {},
): TrackedStatus =>
  tracked(sign(source, 'waiting', 2000, { state: { kind: 'waiting', for: kind } as State, ...more }), settled)

describe('idleness that was told once', () => {
  const told = tracked(sign('status', 'idle', 2000, { ...quiet, tier: 'proven' }), settled)
  const screen = (kind: 'working' | 'waiting' | 'idle', since: number, more: Partial<TrackedStatus> = {}) =>
    tracked(sign('screen', kind, since, busy), more)

  test.each<[string, TrackedStatus, string]>([
    ['is outdated by a screen that has begun to show work', screen('working', 2001), 'working sign'],
    ['or a dialog', screen('waiting', 2001), 'waiting/permission sign'],
    ['is not by one that showed it before', screen('working', 2000), 'idle sign'],
    ['nor by one on probation', screen('working', 2001, { onProbation: true }), 'idle sign'],
    ['nor by one that shows idleness, too', screen('idle', 2001), 'idle sign'],
    ['nor by another source', tracked(sign('title', 'working', 2001, { tier: 'inferred' })), 'idle sign'],
  ])('%s', (_, other, verdict) => expect(ruled(sessionOf(undefined, [told, other]))).toBe(verdict))

  test('by the screen itself is not outdated by it, and what was told of a dialog stands', () => {
    const shown = tracked(sign('screen', 'idle', 2000, quiet), settled)
    expect(ruled(sessionOf(undefined, [shown]))).toBe('idle sign')
    const asked = tracked(sign('status', 'waiting', 2000, { ...busy, tier: 'proven' }), settled)
    expect(ruled(sessionOf(undefined, [asked, screen('working', 2001)]))).toBe('waiting/permission sign')
  })
})

describe('work on the screen after a source told of a dialog, which is drawn a moment later', () => {
  const told = news('waiting', 1000)
  const drawn = { excludes: ['waiting'], tier: 'seen', lag: 1500 } as const
  const at = (now: number, more: Partial<Sign> = {}, source: Sign['source'] = 'screen') =>
    ruled(
      sessionOf(told, [tracked(sign(source, 'working', 2000, { ...drawn, seen: 2000, ...more }), settled)]),
      now,
    )

  test.each<[string, string, string]>([
    ['of one look is doubted', at(3499), 'waiting/permission contradicted'],
    ['and believed where nothing else comes', at(3500), 'working overturned'],
    ['of two is believed', at(2800, { seen: 2800 }), 'working overturned'],
    [
      'of the first look ever may have stood there for long',
      at(2000, { isSinceLook: true }),
      'working overturned',
    ],
    [
      'is an agent’s own word by another way',
      at(2000, { tier: 'declared' }, 'osc7501'),
      'working overturned',
    ],
  ])('%s', (_, verdict, expected) => expect(verdict).toBe(expected))
})

describe('a dialog on the screen right after a source told of work', () => {
  const told = news('working', 1000)
  const shown = (now: number, more: Partial<Sign> = {}) =>
    ruled(
      sessionOf(told, [tracked(sign('screen', 'waiting', 1110, { tier: 'seen', seen: 1110, ...more }))]),
      now,
    )

  test('may be the one that was answered, which is taken down a moment later', () => {
    expect(shown(1110)).toContain('working')
    expect(shown(1499)).toContain('working')
  })

  test('is another one where it stands', () => {
    expect(shown(1500)).toContain('waiting')
    expect(shown(1600, { since: 1501, seen: 1501 })).toContain('waiting')
  })

  test('is believed at once where the agent tells of it itself', () => {
    expect(shown(1110, { tier: 'declared' })).toContain('waiting')
  })
})

describe('work on the screen since before a source told of a dialog', () => {
  const told = news('waiting', 1000)
  const works = (seen: number, since = 500) =>
    tracked(
      sign('screen', 'working', since, { excludes: ['waiting'], tier: 'seen', lag: 1500, seen }),
      settled,
    )

  test('says nothing of it, however long: a dialog that a screen does not know looks like that', () => {
    expect(ruled(sessionOf(told, [works(2501)]))).toBe('waiting/permission contradicted')
    expect(ruled(sessionOf(told, [works(60_000)]), 61_000)).toBe('waiting/permission contradicted')
  })

  describe('and since after it, while a subagent goes on', () => {
    const aside = news('working', 3200, { lane: 'sub:a' })
    const beside = (one: TrackedStatus, now?: number): string => {
      const session = sessionOf(told, [one])
      return ruled({ ...session, lanes: { ...session.lanes, 'sub:a': { news: aside, by: ['hook'] } } }, now)
    }
    const shown = (kind: 'working' | 'idle', seen: number) =>
      tracked(sign('screen', kind, 3000, { ...quiet, tier: 'seen', lag: 1500, seen }), settled)

    test('is believed as without it', () => {
      expect(beside(shown('working', 4000))).toBe('working overturned')
      const status = tracked(sign('status', 'working', 2000, quiet), settled)
      expect(beside(status)).toBe('working overturned')
      expect(beside(works(2501))).toBe('waiting/permission contradicted')
    })

    test('is doubted at one look, and idleness is not believed', () => {
      expect(beside(shown('working', 3000), 4499)).toBe('waiting/permission news')
      expect(beside(shown('working', 3000), 4500)).toBe('working overturned')
      expect(beside(shown('idle', 4000))).toBe('waiting/permission contradicted')
    })
  })
})

describe('a dialog of some kind', () => {
  test.each<[string, readonly TrackedStatus[], string]>([
    [
      'is the one that another source names',
      [dialog('status', 'dialog'), dialog('title', 'permission', { tier: 'inferred', ...busy })],
      'waiting/permission sign',
    ],
    [
      'stays one where none names it',
      [dialog('status', 'dialog'), dialog('title', 'dialog')],
      'waiting/dialog sign',
    ],
    [
      'and beside a source that tells of work',
      [dialog('status', 'dialog', { tier: 'proven' }), tracked(sign('title', 'working', 2000))],
      'waiting/dialog sign',
    ],
  ])('%s', (_, signs, verdict) => expect(ruled(sessionOf(undefined, signs))).toBe(verdict))

  test('names nothing else: work stays work, and a permission one', () => {
    const working = tracked(sign('status', 'working', 2000, { tier: 'proven' }))
    expect(ruled(sessionOf(undefined, [working, dialog('title', 'permission')]))).toBe('working sign')
    const question = tracked(
      sign('status', 'waiting', 2000, { state: { kind: 'waiting', for: 'question' }, tier: 'proven' }),
    )
    expect(ruled(sessionOf(undefined, [question, dialog('title', 'permission')]))).toBe(
      'waiting/question sign',
    )
  })

  test('that news told of is the one that a sign names', () => {
    const told = news('waiting', 1000, { state: { kind: 'waiting', for: 'dialog' } })
    expect(ruled(sessionOf(told, [dialog('status', 'permission')]))).toBe('waiting/permission agreed')
    expect(ruled(sessionOf(news('waiting', 1000), [dialog('status', 'dialog')]))).toBe(
      'waiting/permission agreed',
    )
  })
})

describe('idleness that has not kept step with the turn', () => {
  const owed = (source: Sign['source'], since: number, more: Partial<TrackedStatus> = {}) =>
    tracked(sign(source, 'idle', since, quiet), more)
  const working = news('working', 1000)

  test('is believed with a second source, once one of them has told it for longer than any is late', () => {
    const session = sessionOf(working, [owed('status', 2000), owed('transcript', 4000)])
    const { recheckAt = 0 } = judge(session, 4000)
    expect(ruled(session, recheckAt - 1)).toBe('working contradicted')
    expect(ruled(session, recheckAt)).toBe('idle overturned')
    expect(recheckAt).toBeGreaterThan(4000)
  })

  test('at once where the news say that it may be the end', () => {
    const allows = news('working', 1000, { allows: ['idle'] })
    const session = sessionOf(allows, [owed('status', 2000), owed('transcript', 4000)])
    expect(ruled(session, 3999)).not.toMatch(/^idle/)
    expect(ruled(session, 4000)).toBe('idle overturned')
  })

  /** A turn that is shorter than the lag of a source never shows in it. */
  test('so also with a second one that missed the turn, once its lag is over', () => {
    const allows = news('working', 1000, { allows: ['idle'] })
    const missed = (more: Partial<TrackedStatus> = {}) =>
      tracked(sign('title', 'idle', 500, { ...quiet, lag: 3000 }), more)
    const session = sessionOf(allows, [owed('screen', 2000), missed()])
    expect(ruled(session, 4000)).not.toMatch(/^idle/)
    expect(ruled(session, 4001)).toBe('idle overturned')
    const late = sessionOf(allows, [owed('screen', 6000), missed()])
    expect(ruled(late, 5999)).not.toMatch(/^idle/)
    expect(ruled(late, 6000)).toBe('idle overturned')
    for (const others of [
      [],
      [missed({ onProbation: true })],
      [tracked(sign('title', 'working', 500))],
      [missed(), tracked(sign('paint', 'waiting', 500))],
    ])
      expect(ruled(sessionOf(allows, [owed('screen', 2000), ...others]), 8000)).not.toMatch(/^idle/)
  })

  test.each<[string, readonly TrackedStatus[]]>([
    ['alone', [owed('status', 2000)]],
    ['nor where the other told it before the news', [owed('status', 2000), owed('transcript', 900)]],
    [
      'nor where the other is on probation',
      [owed('status', 2000), owed('transcript', 4000, { onProbation: true })],
    ],
    [
      'nor where the other tells of work',
      [owed('status', 2000), tracked(sign('transcript', 'working', 4000))],
    ],
    [
      'nor where a third tells of something else',
      [owed('status', 2000), owed('transcript', 4000), tracked(sign('title', 'waiting', 900))],
    ],
  ])('is not believed %s', (_, signs) => {
    expect(ruled(sessionOf(working, signs), 60_000)).not.toMatch(/^idle/)
  })
})

test('where nobody tells, those that are there and can’t tell say why', () => {
  const dumb = tracked(sign('transcript', 'unknown', 100))
  const { because } = judge(
    sessionOf(undefined, [
      dumb,
      tracked(sign('title', 'unknown', 100, { alive: false })),
      tracked(sign('status', 'idle', 100)),
    ]),
    9000,
  )
  expect(because).toEqual([dumb.sign])
})

test('beside a source that can’t be read only an end that was told as it came, or the process’s, is worth more than as likely as not', () => {
  const verdict = (rule: Verdict['rule'], because: Verdict['because'], confidence = 0.9): Verdict => ({
    ...firstVerdict(0),
    rule,
    because,
    confidence,
  })
  const hook = news('idle', 1)
  const line = news('idle', 1, { source: 'transcript' })
  const shown = sign('status', 'idle', 1)
  expect(confidenceBesideUnread(verdict('news', [hook]))).toBe(0.9)
  expect(confidenceBesideUnread(verdict('exit', []))).toBe(0.9)
  expect(confidenceBesideUnread(verdict('news', [line]))).toBe(0.5)
  expect(confidenceBesideUnread(verdict('sign', [{ ...shown, source: 'hook' }]))).toBe(0.5)
  expect(confidenceBesideUnread(verdict('overturned', [shown, hook]))).toBe(0.5)
  expect(confidenceBesideUnread(verdict('news', [line], 0.3))).toBe(0.3)
})

test('of an agent that nobody checked, and of a version, a verdict is believed less, above all by its screen', () => {
  const verdict = (rule: Verdict['rule'], source: Source): Verdict => ({
    ...firstVerdict(0),
    rule,
    because: [sign(source, 'idle', 1)],
    confidence: 0.98,
  })
  const both = (one: Verdict) => [confidenceUnchecked(one, 'version'), confidenceUnchecked(one, 'agent')]
  expect(both(verdict('sign', 'screen'))).toEqual([0.82, 0.6])
  expect(both(verdict('sign', 'status'))).toEqual([0.95, 0.6])
  expect(both(verdict('exit', 'process'))).toEqual([0.98, 0.98])
  expect(both({ ...verdict('sign', 'status'), confidence: 0.5 })).toEqual([0.5, 0.5])
})
