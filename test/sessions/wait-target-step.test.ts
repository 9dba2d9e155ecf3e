/** What a wait keeps of a session while others change beside it, and while its source comes and goes. */
import { describe, expect, test } from 'vitest'
import { newSession, type Session } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'
import { follow, isExited, targetOf } from '../../src/sessions/wait/wait-target-step.ts'
import { liveSession } from '../support/live.ts'

const session = (
  state: State,
  more: Partial<Session['verdict']> = {},
  turns: Partial<Session['turns']> = {},
): Session => {
  const made = newSession(0)
  return { ...made, turns: { ...made.turns, ...turns }, verdict: { ...made.verdict, state, ...more } }
}
const live = (of: Session, id = 'a') => liveSession(of, { id })
const working = session({ kind: 'working' })
const open = { open: { id: 't', count: 1, startedAt: 5 } } as unknown as Partial<Session['turns']>

describe('whether a turn ran when the wait began', () => {
  test.each<[string, Session, boolean]>([
    ['idle', session({ kind: 'idle' }, { turnOver: false }), true],
    ['starting', session({ kind: 'starting' }, { turnOver: false }), true],
    ['at work, its turn over', session({ kind: 'working' }, { turnOver: true }), true],
    ['at work in a turn', session({ kind: 'working' }, { turnOver: false }, open), true],
    ['at work in no turn that is known', session({ kind: 'working' }, { turnOver: false }), false],
    ['unknown', session({ kind: 'unknown' }, { turnOver: false }), false],
    ['unknown, its turn over', session({ kind: 'unknown' }, { turnOver: true }), false],
    ['unknown in a turn', session({ kind: 'unknown' }, { turnOver: false }, open), false],
  ])('%s', (_, of, isSure) => {
    expect(targetOf(live(of), 1000)).toMatchObject({ base: { at: 1000, isSure }, hasBegun: false })
  })
})

describe('a change', () => {
  const target = targetOf(live(working), 1000)
  test('of another session is none of this one', () => {
    expect(follow(target, { type: 'changed', session: live(session({ kind: 'idle' }), 'b') }, 2000)).toBe(
      target,
    )
    expect(follow(target, { type: 'gone', id: 'b' }, 2000)).toBe(target)
  })
  test('of its own is', () => {
    const idle = live(session({ kind: 'idle' }))
    expect(follow(target, { type: 'changed', session: idle }, 2000).live).toBe(idle)
    expect(follow(target, { type: 'gone', id: 'a' }, 2000).lost).toBe('forgotten')
    expect(isExited(follow(target, { type: 'gone', id: 'a' }, 2000))).toBe(true)
  })
})

describe('an agent that is found in the terminal that is waited for', () => {
  const place = { terminal: 'own1', tmux: '/run/lull/terminals', pane: 'own1' }
  const terminal = liveSession(working, { id: 't', agent: 'terminal', ...place })
  const target = targetOf(terminal, 1000)
  const agent = (turns: Partial<Session['turns']> = {}, more = {}) =>
    liveSession(session({ kind: 'idle' }, {}, turns), { id: 'a', ...place, ...more })

  test('is waited for in its place, whichever of the two is told first', () => {
    const found = agent()
    const after = follow(target, { type: 'changed', session: found }, 2000)
    expect(after.live).toBe(found)
    expect(follow(after, { type: 'gone', id: 't', shownAs: 'a' }, 2000)).toBe(after)
    expect(follow(target, { type: 'gone', id: 't', shownAs: 'a' }, 2000)).toBe(target)
    expect(follow(target, { type: 'snapshot', sessions: [found] }, 2000).live).toBe(found)
  })

  test('has begun what it began since then, and nothing before', () => {
    const begunAt = (lastStart: number): boolean =>
      follow(target, { type: 'changed', session: agent({ lastStart }) }, 2000).hasBegun
    expect([begunAt(900), begunAt(1500)]).toEqual([false, true])
  })

  test('gives the terminal back when it has ended', () => {
    const during = follow(target, { type: 'changed', session: agent() }, 2000)
    const later = follow(during, { type: 'changed', session: agent({ lastStart: 2500 }) }, 3000)
    expect(later).toMatchObject({ hasBegun: true, terminal: 't' })
    const prompt = liveSession(session({ kind: 'idle' }), { ...terminal, session: session({ kind: 'idle' }) })
    for (const change of [
      { type: 'changed', session: prompt },
      { type: 'snapshot', sessions: [prompt] },
    ] as const) {
      const after = follow(later, change, 4000)
      expect(after.live).toBe(prompt)
      expect(after.terminal).toBeUndefined()
    }
    const over = liveSession(session({ kind: 'exited' }), { id: 'a', ...place })
    expect(isExited(follow(later, { type: 'changed', session: over }, 4000))).toBe(true)
  })

  test('brings no terminal back that is gone', () => {
    const gone = follow(target, { type: 'gone', id: 't' }, 1500)
    expect(follow(gone, { type: 'changed', session: agent() }, 2000)).toBe(gone)
  })

  test('elsewhere, or that has exited, is none of it', () => {
    const elsewhere = agent({}, { terminal: 'own2', pane: 'own2' })
    const over = liveSession(session({ kind: 'exited' }), { id: 'a', ...place })
    for (const other of [elsewhere, over])
      expect(follow(target, { type: 'changed', session: other }, 2000)).toBe(target)
  })
})

describe('another source', () => {
  const seen = {
    because: [
      {
        type: 'news',
        source: 'hook',
        what: 'x',
        lane: 'main',
        state: { kind: 'working' },
        at: 900,
        seen: 900,
      },
    ],
  } as unknown as Partial<Session['verdict']>
  const snapshot = (of: Session, before: Session) =>
    follow(targetOf(live(before), 1000), { type: 'snapshot', sessions: [live(of)] } as never, 2000)
  test('has to report something newer than what the one before saw at work', () => {
    const idle = (at: number) =>
      session({ kind: 'idle' }, { because: [{ ...(seen.because?.[0] as object), at }] as never })
    const busy = session({ kind: 'working' }, seen)
    expect(snapshot(idle(900), busy).busyAt).toBe(900)
    expect(snapshot(idle(901), busy)).not.toHaveProperty('busyAt')
    expect(snapshot(session({ kind: 'idle' }, { because: [] }), busy).busyAt).toBe(900)
    expect(snapshot(idle(900), session({ kind: 'idle' }, seen))).not.toHaveProperty('busyAt')
    expect(snapshot(idle(-5), session({ kind: 'working' }, { because: [] }))).not.toHaveProperty('busyAt')
  })
  test('that does not find it has it missing, but for one that has exited', () => {
    const lost = (of: Session) =>
      follow(targetOf(live(of), 1000), { type: 'snapshot', sessions: [live(working, 'b')] } as never, 2000)
        .lost
    expect(lost(working)).toBe('missing')
    expect(lost(session({ kind: 'exited' }))).toBeUndefined()
  })
})
