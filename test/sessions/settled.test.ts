/** Whether a session is settled: sessions in, the instant out from which each is. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Facts } from '../../src/core/evidence/signal.ts'
import type { State } from '../../src/core/state.ts'
import { sessionIndex } from '../../src/sessions/session-index.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { idsAbove, isSettled, settledOf, withSettled } from '../../src/sessions/settled.ts'
import {
  background,
  broken,
  exit,
  finished,
  interrupted,
  limited,
  liveSession,
  news,
  permission,
  prompt,
  sessionOf,
  thinking,
  withVerdict,
} from '../support/live.ts'

const exited: State = { kind: 'exited' }

const inState = (state: State, more: Partial<LiveSession> = {}): LiveSession =>
  withVerdict({ state, since: 1000 }, more)

const withFacts = (facts: Facts): LiveSession => {
  const live = inState(finished)
  return { ...live, session: { ...live.session, facts } }
}

/** From when `parent` is settled, beside the others. */
const from = (parent: LiveSession, ...others: readonly LiveSession[]): number | undefined =>
  withSettled(parent, sessionIndex([parent, ...others])).settledFrom

describe('a session alone', () => {
  test.each<[string, LiveSession]>([
    ['its turn is over', inState(finished)],
    ['its turn failed', inState(broken)],
    ['its turn was interrupted', inState(interrupted)],
    ['it is at a limit', inState(limited)],
    ['it is a shell at its prompt', inState({ kind: 'idle', at: 'shell' }, { agent: 'terminal' })],
    ['it is a command that waits for its next line', inState({ kind: 'idle' }, { agent: 'command' })],
  ])('is settled 2 s after it became idle where %s', (_, live) => {
    expect(from(live)).toBe(3000)
    expect([2999, 3000].map(now => isSettled({ ...live, settledFrom: 3000 }, now))).toEqual([false, true])
  })

  test('is settled at once where it has exited, or the first look found it idle', () => {
    expect(from(inState(exited))).toBe(1000)
    expect(from(inState(finished, { isSinceLook: true }))).toBe(1000)
  })

  test.each<[string, LiveSession]>([
    ['works', inState(thinking)],
    ['waits', inState(permission)],
    ['starts', inState({ kind: 'starting' })],
    ['is unknown', inState({ kind: 'unknown' })],
    ['has background work', inState(background)],
    ['belongs to another user', inState(finished, { owner: 'root' })],
    ['has a file that cannot be read', withFacts({ degraded: 'transcript (EACCES)' })],
    ['runs a server', withFacts({ background: [{ kind: 'server', what: 'npm run dev' }] })],
    ['has a teammate without work', withFacts({ background: [{ kind: 'teammate' }] })],
    ['has a schedule', withFacts({ wakes: [{ kind: 'cron', what: 'hourly' }] })],
    ['watches something', withFacts({ wakes: [{ kind: 'monitor' }] })],
    ['has a goal', withFacts({ goal: 'all tests pass' })],
  ])('is not where it %s', (_, live) => {
    expect(from(live)).toBeUndefined()
    expect(isSettled(live, 1e12)).toBe(false)
  })

  test('is settled 15 s after the time of its last wake: its turn may begin late', () => {
    const wakes = [
      { kind: 'wakeup', at: 60_000 },
      { kind: 'wakeup', at: 9000 },
    ] as const
    expect(from(withFacts({ wakes }))).toBe(75_000)
    expect(from(withFacts({ wakes: [], background: [], goal: '' }))).toBe(3000)
  })

  test('is not while a subagent runs that only its status denies', () => {
    const turn = [prompt(100), news(200, thinking, { lane: 'sub:1' }), news(900, finished)]
    const running = sessionOf(turn)
    const verdict = { ...running.verdict, state: finished, since: 900 }
    expect(from(liveSession({ ...running, verdict }))).toBeUndefined()
    const ended = sessionOf([...turn, news(950, finished, { ends: ['sub:*'] })])
    expect(from(liveSession(ended))).toBe(2950)
  })
})

describe('a session that started others', () => {
  const parent = inState(finished, { id: 'parent', ancestors: ['shell', 'init'] })
  const child = (state: State, more: Partial<LiveSession> = {}) =>
    inState(state, { id: 'child', ancestors: ['bash', 'parent', 'shell', 'init'], ...more })

  test.each<[string, State]>([
    ['works', thinking],
    ['waits', permission],
    ['starts', { kind: 'starting' }],
    ['is unknown', { kind: 'unknown' }],
    ['has background work', background],
  ])('is not settled while one of them %s', (_, state) => {
    expect(from(parent, child(state))).toBeUndefined()
    expect(from(child(finished), parent)).toBe(3000)
  })

  test('is settled once they are: exited, or idle with nothing pending', () => {
    const later = sessionOf([prompt(100), news(7000, finished)])
    expect(from(parent, child(exited))).toBe(3000)
    expect(from(parent, child(finished, { session: later }))).toBe(9000)
    expect(from(parent, child(finished, { session: sessionOf([prompt(100), exit(8000)]) }))).toBe(8000)
  })

  test('is not settled while a session works that one of them started, also after that one has gone', () => {
    const grandchild = inState(thinking, {
      id: 'leaf',
      ancestors: ['sh', 'child', 'bash', 'parent', 'shell'],
    })
    expect(from(parent, child(finished), grandchild)).toBeUndefined()
    expect(from(parent, child(exited), grandchild)).toBeUndefined()
    expect(from(parent, grandchild)).toBeUndefined()
    const left = { ...grandchild, ancestors: ['child', 'init'] }
    expect(from(parent, child(finished), left)).toBeUndefined()
    expect(from({ ...parent, ancestors: ['leaf'] }, left, child(finished))).toBeUndefined()
    expect(from(child(exited), parent, grandchild)).toBeUndefined()
  })

  test('does not depend on sessions that started it, or stand beside it', () => {
    const beside = inState(thinking, { id: 'beside', ancestors: ['shell', 'init'] })
    expect(from(parent, inState(thinking, { id: 'shell' }), beside)).toBe(3000)
  })
})

describe('of any sessions', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const state = fc.constantFrom<State>(
    finished,
    broken,
    exited,
    thinking,
    background,
    permission,
    { kind: 'starting' },
    { kind: 'unknown' },
  )
  /** Any data, with circles and with ids of nobody. */
  const sessions = fc
    .array(fc.record({ state, ancestors: fc.subarray([...ids, 'nobody']), since: fc.nat(9000) }), {
      maxLength: ids.length,
    })
    .map(all =>
      all.map(({ state, ancestors, since }, at) =>
        withVerdict({ state, since }, { id: ids[at] as string, ancestors }),
      ),
    )
  const kindOf = ({ session }: LiveSession) => session.verdict.state.kind

  test('one that is settled is idle or exited, and whatever it started is settled, no later than it', () => {
    fc.assert(
      fc.property(sessions, all => {
        const judged = settledOf(sessionIndex(all))
        for (const one of judged.filter(({ settledFrom }) => settledFrom !== undefined)) {
          expect(['idle', 'exited']).toContain(kindOf(one))
          for (const below of judged.filter(({ ancestors }) => ancestors?.includes(one.id)))
            expect(below.settledFrom).toBeLessThanOrEqual(one.settledFrom as number)
        }
      }),
    )
  })

  test('a session at work unsettles all above it and no other', () => {
    fc.assert(
      fc.property(sessions, fc.subarray(ids), (all, ancestors) => {
        const before = settledOf(sessionIndex(all))
        const after = settledOf(
          sessionIndex([...all, withVerdict({ state: thinking }, { id: 'new', ancestors })]),
        )
        const known = new Map(all.map(one => [one.id, one]))
        const above = idsAbove(withVerdict({}, { id: 'new', ancestors }), known)
        for (const [at, one] of before.entries())
          expect(after[at]?.settledFrom).toBe(above.has(one.id) ? undefined : one.settledFrom)
      }),
    )
  })

  test('the order does not count, and to judge them again changes nothing', () => {
    fc.assert(
      fc.property(sessions, all => {
        const judged = settledOf(sessionIndex(all))
        expect(settledOf(sessionIndex(judged))).toEqual(judged)
        expect(settledOf(sessionIndex(all.toReversed())).toReversed()).toEqual(judged)
        expect(all.map(one => withSettled(one, sessionIndex(all)))).toEqual(judged)
      }),
    )
  })
})
