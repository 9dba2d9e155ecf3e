import { describe, expect, test } from 'vitest'
import { auditSigns, probationSteps } from '../../src/core/evidence/audit.ts'
import { fileSign } from '../../src/core/evidence/file-status.ts'
import type { News, Sign, Source } from '../../src/core/evidence/signal.ts'
import { newSession, type Session, type TrackedStatus } from '../../src/core/session.ts'
import type { Kind } from '../../src/core/state.ts'
import { news, sessionOf, sign, tracked } from '../support/core-signals.ts'

/** Which signs are trusted. Times are ms. */

const session = (claim: News, by: readonly Source[], ...statuses: readonly TrackedStatus[]): Session =>
  sessionOf(claim, statuses, by)

describe('a sign that goes on contradicting the news', () => {
  const idle = tracked(sign('status', 'idle', 100))
  const both: readonly Source[] = ['hook', 'transcript']
  const isLate = (changed: Session, now: number): boolean =>
    auditSigns(changed, now).status?.onProbation === true

  test.each<[string, Session, number, boolean]>([
    ['within its lag', session(news('working', 1000), both, idle), 1500, false],
    ['beyond its lag, against two', session(news('working', 1000), both, idle), 1501, true],
    ['against one alone', session(news('working', 1000), ['hook'], idle), 9000, false],
    ['of the same kind', session(news('idle', 1000), both, idle), 9000, false],
    ['while the program starts', session(news('starting', 1000), both, idle), 9000, false],
    ['that the news allow', session(news('working', 1000, { allows: ['idle'] }), both, idle), 9000, false],
    [
      'that moved after them',
      session(news('working', 1000), both, tracked(sign('status', 'idle', 1001))),
      9000,
      false,
    ],
    [
      'that moved with them',
      session(news('working', 1000), both, tracked(sign('status', 'idle', 1000))),
      9000,
      true,
    ],
    [
      'that is gone',
      session(news('working', 1000), both, tracked(sign('status', 'idle', 100, { alive: false }))),
      9000,
      false,
    ],
    [
      'that says nothing',
      session(news('working', 1000), both, tracked(sign('status', 'unknown', 100))),
      9000,
      false,
    ],
    [
      'that is inferred',
      session(news('working', 1000), both, tracked(sign('status', 'idle', 100, { tier: 'inferred' }))),
      9000,
      false,
    ],
    ['without news', { ...newSession(0), signs: { status: idle } }, 9000, false],
  ])('%s', (_, changed, now, late) => expect(isLate(changed, now)).toBe(late))

  test('owes two steps, and owes them again while it goes on', () => {
    const claim = news('working', 1000)
    expect(
      auditSigns(session(claim, both, tracked(sign('status', 'idle', 100), { isCounted: true })), 9000),
    ).toEqual({
      status: { sign: idle.sign, stepsOwed: probationSteps, onProbation: true, isCounted: true },
    })
    const half = tracked(idle.sign, { onProbation: true, stepsOwed: 1 })
    expect(auditSigns(session(claim, both, half), 9000).status?.stepsOwed).toBe(2)
    const full = session(claim, both, tracked(idle.sign, { onProbation: true, stepsOwed: 2 }))
    expect(auditSigns(full, 9000)).toBe(full.signs)
    const owing = session(claim, both, tracked(idle.sign, { stepsOwed: 2 }))
    expect(auditSigns(owing, 9000).status?.onProbation).toBe(true)
  })

  const paint = (more: Partial<Sign>) =>
    tracked(sign('paint', 'working', 100, { tier: 'inferred', hold: 1000, ...more }))
  test.each<[string, TrackedStatus, Kind, number, boolean]>([
    ['a living sign that says so', tracked(sign('osc7501', 'working', 5)), 'working', 9000, true],
    ['none that is gone', tracked(sign('osc7501', 'working', 5, { alive: false })), 'working', 9000, false],
    ['none that says otherwise', tracked(sign('osc7501', 'waiting', 5)), 'working', 9000, false],
    [
      'none on probation',
      tracked(sign('osc7501', 'working', 5), { onProbation: true }),
      'working',
      9000,
      false,
    ],
    ['paint, while it goes on', paint({ seen: 8001 }), 'working', 9000, true],
    ['no paint that has stopped', paint({ seen: 8000 }), 'working', 9000, false],
    ['no paint for a dialog', paint({ seen: 8001 }), 'waiting', 9000, false],
    [
      'no paint that has no end',
      tracked(sign('paint', 'working', 5, { tier: 'inferred' })),
      'working',
      9000,
      false,
    ],
    [
      'nothing else that is inferred',
      tracked(sign('keys', 'working', 5, { tier: 'inferred', seen: 8900, hold: 1000 })),
      'working',
      9000,
      false,
    ],
  ])('counts as a witness against it: %s', (_, witness, kind, now, late) =>
    expect(isLate(session(news(kind, 1000), ['hook'], idle, witness), now)).toBe(late),
  )

  test.each([
    [5999, true],
    [6000, false],
    [8500, false],
  ])('a terminal that was last painted at %i sides with idle at 9000: %s', (seen, late) => {
    const busy = tracked(sign('status', 'working', 100))
    expect(isLate(session(news('idle', 1000), ['hook'], busy, paint({ seen })), 9000)).toBe(late)
  })

  test('sources that fail together are one witness, and none against themselves', () => {
    const title = tracked(sign('title', 'idle', 100))
    const others = [tracked(sign('osc7501', 'working', 5)), tracked(sign('progress', 'working', 5))]
    const of = (by: readonly Source[]) =>
      auditSigns(session(news('working', 1000), by, title, ...others), 9000).title?.onProbation
    expect(of(['hook'])).toBe(false)
    expect(of(['hook', 'rows'])).toBe(true)
    expect(isLate(session(news('working', 1000), ['hook', 'status'], idle), 9000)).toBe(false)
    expect(isLate(session(news('working', 1000), ['hook'], idle, ...others), 9000)).toBe(true)
    expect(isLate(session(news('working', 1000), [], idle, ...others), 9000)).toBe(false)
  })

  const channels: readonly (readonly Source[])[] = [
    ['hook'],
    ['transcript'],
    ['rows'],
    ['osc7501', 'title', 'progress', 'paint', 'screen'],
    ['keys'],
    ['process'],
    ['session'],
  ]
  test('channels: two sources of different ones are two witnesses', () => {
    for (const [a = [], b = []] of channels.flatMap(one => channels.map(other => [one, other])))
      for (const [first, second] of a.flatMap(x => b.map(y => [x, y] as const)))
        expect([first, second, isLate(session(news('working', 1000), [first, second], idle), 9000)]).toEqual([
          first,
          second,
          a !== b,
        ])
  })
})

describe('a sign that moves when the news do', () => {
  const owedAfter = (one: TrackedStatus, now: number, claim = news('working', 1000)) =>
    auditSigns(session(claim, ['hook'], one), now).status

  test.each([
    [500, 1],
    [499, 2],
    [1500, 1],
    [1501, 2],
    [1000, 1],
  ])('at %i, and they at 1000, owes %i of two steps', (since, owed) =>
    expect(owedAfter(tracked(sign('status', 'working', since), { stepsOwed: 2 }), 9000)?.stepsOwed).toBe(
      owed,
    ),
  )

  test.each([
    [1049, 1],
    [1050, 0],
  ])('and has stood until %i owes %i', (now, owed) =>
    expect(owedAfter(tracked(sign('status', 'working', 1000)), now)?.stepsOwed).toBe(owed),
  )

  test('is counted once, and only where it says the same and owes something', () => {
    expect(owedAfter(tracked(sign('status', 'working', 1000), { stepsOwed: 2 }), 9000)?.isCounted).toBe(true)
    const counted = tracked(sign('status', 'working', 1000), { stepsOwed: 2, isCounted: true })
    expect(owedAfter(counted, 9000)).toBe(counted)
    const clear = tracked(sign('status', 'working', 1000), { stepsOwed: 0 })
    expect(owedAfter(clear, 9000)).toBe(clear)
    const other = tracked(sign('status', 'waiting', 1000))
    expect(owedAfter(other, 1400)).toBe(other)
  })

  test('is off probation with the last step', () => {
    const late = (stepsOwed: number) =>
      owedAfter(tracked(sign('status', 'working', 1000), { onProbation: true, stepsOwed }), 9000)
    expect(late(2)).toMatchObject({ stepsOwed: 1, onProbation: true })
    expect(late(1)).toMatchObject({ stepsOwed: 0, onProbation: false })
  })
})

describe('a sign is filed', () => {
  const signsAfter = (before: Session, ...signs: readonly Sign[]) => {
    const next = { ...before }
    for (const one of signs) fileSign(next, one)
    return next.signs
  }
  const filed = (before: Session, one: Sign) => signsAfter(before, one)[one.source]
  const busy = session(news('working', 100), ['hook'])

  test.each<[string, Kind, Kind, number]>([
    ['new, and idle while the news work', 'working', 'idle', 2],
    ['new, and idle while they wait', 'waiting', 'idle', 2],
    ['new, and idle as they are', 'idle', 'idle', 1],
    ['new, and idle while the program starts', 'starting', 'idle', 1],
    ['new, and busy', 'working', 'working', 1],
    ['new, and busier', 'working', 'waiting', 1],
  ])('%s (news %s, sign %s): it owes %i', (_, kind, says, owed) =>
    expect(filed(session(news(kind, 100), ['hook']), sign('status', says, 200))).toEqual({
      ...(says === 'idle' ? {} : { busySince: 200 }),
      sign: sign('status', says, 200),
      stepsOwed: owed,
      onProbation: false,
      isCounted: false,
    }),
  )

  const known = (kind: Kind, more: Partial<TrackedStatus> = {}, byNews: Kind = 'working') =>
    session(news(byNews, 100), ['hook'], tracked(sign('status', kind, 200), more))

  test.each<[string, Session, Kind, number]>([
    ['idle again, never busy, while the news work', known('idle'), 'idle', 2],
    ['idle after it was busy', known('working'), 'idle', 1],
    ['idle after it waited', known('waiting'), 'idle', 1],
    ['idle, and owes nothing', known('idle', { stepsOwed: 0 }), 'idle', 0],
    ['busy after it was idle', known('idle'), 'working', 1],
    ['idle while the news are', known('starting', {}, 'idle'), 'idle', 1],
  ])('%s: it owes', (_, before, says, owed) =>
    expect(filed(before, sign('status', says, 300))?.stepsOwed).toBe(owed),
  )

  test('that repeats itself keeps since when it is so, and whether it was counted', () => {
    const before = known('working', { isCounted: true, onProbation: true })
    expect(filed(before, sign('status', 'working', 300))).toMatchObject({
      sign: { since: 200, seen: 300 },
      isCounted: true,
      onProbation: true,
    })
    expect(filed(before, sign('status', 'idle', 300))).toMatchObject({
      sign: { since: 300 },
      isCounted: false,
      onProbation: true,
    })
    expect(filed(before, sign('status', 'working', 300, { alive: false }))?.sign.since).toBe(300)
    const gone = session(
      news('working', 100),
      ['hook'],
      tracked(sign('status', 'working', 200, { alive: false })),
    )
    expect(filed(gone, sign('status', 'working', 300))?.sign.since).toBe(300)
  })

  test('that is older than what is known changes nothing', () => {
    const before = known('working')
    expect(signsAfter(before, sign('status', 'idle', 199))).toBe(before.signs)
    expect(filed(before, sign('status', 'idle', 200))?.sign.state.kind).toBe('idle')
    const two = signsAfter(busy, sign('status', 'idle', 5), sign('title', 'idle', 1))
    expect(Object.keys(two)).toEqual(['status', 'title'])
  })
})
