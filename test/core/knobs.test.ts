import { describe, expect, test } from 'vitest'
import { advance, startedSession } from '../../src/core/advance.ts'
import type { News, Sign, Signal } from '../../src/core/evidence/signal.ts'
import { describeState } from '../../src/core/explain/explain.ts'
import type { Session } from '../../src/core/session.ts'
import type { Kind, State } from '../../src/core/state.ts'
import { claudeStatus, hook, keys, output, play } from '../support/scenario.ts'

/** The numbers of the rule, each at both of its sides. */

const stateOf = (kind: Kind): State =>
  kind === 'waiting' ? { kind, for: 'permission' } : ({ kind } as State)

const news = (at: number, kind: Kind, more: Partial<News> = {}): News => ({
  type: 'news',
  source: 'hook',
  what: 'event',
  lane: 'main',
  state: stateOf(kind),
  at,
  seen: more.seen ?? at,
  ...more,
})

const sign = (at: number, kind: Kind, more: Partial<Sign> = {}): Sign => ({
  type: 'sign',
  source: 'status',
  what: kind,
  state: stateOf(kind),
  excludes: kind === 'idle' ? ['working', 'waiting'] : ['waiting'],
  tier: 'declared',
  lag: 500,
  since: at,
  seen: at,
  alive: true,
  ...more,
})

/** Feeds signals as they are seen, and looks at the clock every 10 ms until the end, ms. */
function feed(signals: readonly Signal[], until: number): Session {
  const seen = (signal: Signal) => ('seen' in signal ? signal.seen : signal.at)
  const waiting = [...signals]
  let session = startedSession(0)
  for (let now = 10; now <= until; now += 10) {
    session = advance(session, now)
    while (waiting[0] && seen(waiting[0]) <= now) session = advance(session, now, waiting.shift() as Signal)
  }
  return session
}
const at = (until: number, ...signals: Signal[]): string => describeState(feed(signals, until).verdict.state)
const start = (ms: number, more: Partial<News> = {}) => news(ms, 'working', { starts: true, ...more })

describe('turns', () => {
  test.each([
    [1900, 1],
    [2100, 2],
  ])('a second start %i ms after the first makes %i turns', (later, turns) => {
    expect(feed([start(1000), start(1000 + later)], 5000).verdict.turn).toBe(turns)
  })

  test.each([
    [9900, 1],
    [10_100, 2],
  ])('a start that another source tells %i ms after the first makes %i turns', (later, turns) => {
    const session = feed([start(1000), start(1000 + later, { source: 'transcript' })], 20_000)
    expect(session.verdict.turn).toBe(turns)
  })

  test.each([
    [200, 'idle'],
    [400, 'working'],
  ])('a call %i ms after the end leaves it %s', (later, state) => {
    const call = news(5000 + later, 'working', { reopens: true, source: 'transcript' })
    expect(at(9000, start(1000), news(5000, 'idle'), call)).toBe(state)
  })

  test.each([
    [1900, 'idle'],
    [2100, 'working'],
  ])('unnamed work %i ms after the end leaves it %s', (later, state) => {
    expect(at(9000, start(1000), news(5000, 'idle'), news(5000 + later, 'working'))).toBe(state)
  })

  test.each([
    [1900, ['hook', 'transcript']],
    [2100, ['hook']],
  ])('a second word for the end %i ms later leaves it where it was, said by %j', (later, by) => {
    const second = news(5000 + later, 'idle', { source: 'transcript' })
    const session = feed([start(1000), news(5000, 'idle'), second], 9000)
    expect(session.lanes.main).toMatchObject({ news: { at: 5000 }, by })
    expect(session.turns.lastEnd).toBe(5000)
  })

  test('an end that was stamped before work that is known is overtaken', () => {
    const worked = news(5000, 'working', { source: 'transcript', seen: 5200 })
    const ended = (ms: number) => news(ms, 'idle', { source: 'transcript', seen: 5300 })
    expect(at(9000, start(1000), worked, ended(4900))).toBe('working')
    expect(at(9000, start(1000), worked, ended(5100))).toBe('idle')
  })
})

describe('lanes', () => {
  test.each([
    [7900, 'working'],
    [8100, 'idle'],
  ])('a queued prompt whose turn ended at 5000 is at %i %s', (now, state) => {
    expect(at(now, start(1000), news(2000, 'working', { lane: 'queue' }), news(5000, 'idle'))).toBe(state)
  })

  test('of two dialogs the one that has a name is told', () => {
    const named = news(2000, 'waiting', { lane: 'ask:main:Bash' })
    const vague = news(3000, 'waiting', {
      lane: 'ask:main:notice',
      state: { kind: 'waiting', for: 'dialog' },
    })
    expect(at(4000, start(1000), named, vague)).toBe('waiting/permission')
    expect(
      at(4000, start(1000), { ...vague, at: 2000, seen: 2000 }, { ...named, at: 3000, seen: 3000 }),
    ).toBe('waiting/permission')
  })
})

describe('trust', () => {
  test('a source that calls busy work idle before it ever kept step owes two moves', () => {
    const first = [start(1000), sign(2000, 'idle')]
    expect(at(5000, ...first)).toBe('working')
    const once = [
      ...first,
      news(10_000, 'idle'),
      start(20_000),
      sign(20_000, 'working'),
      sign(25_000, 'idle'),
    ]
    expect(at(29_000, ...once)).toBe('working')
    const twice = [
      ...once,
      news(30_000, 'idle'),
      start(40_000),
      sign(40_000, 'working'),
      sign(45_000, 'idle'),
    ]
    expect(at(49_000, ...twice)).toBe('idle')
  })

  test.each([
    [20, 'working'],
    [100, 'idle'],
  ])('a step that stood for %i ms: its idleness against work is %s', (stood, state) => {
    expect(at(9000, start(1000), sign(1000, 'working'), sign(1000 + stood, 'idle'))).toBe(state)
  })

  const paint = (ms: number) =>
    sign(ms, 'working', { source: 'paint', tier: 'inferred', excludes: [], lag: 0, hold: 1300, since: 1000 })
  const stuck = [start(1000), sign(1000, 'working'), news(10_000, 'idle')]

  test('of a status that goes on to say work after the end nobody knows while nobody else says the same', () => {
    expect(at(19_000, ...stuck)).toBe('unknown')
  })

  test('until a screen that is quiet for three seconds is the second witness', () => {
    const signals = [start(1000), sign(1000, 'working'), paint(9500), news(10_000, 'idle')]
    expect(at(12_000, ...signals)).toBe('unknown')
    expect(at(13_000, ...signals)).toBe('idle')
  })
})

describe('paint and keys', () => {
  const prompt = hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'go' })
  const stop = hook(10, 'Stop', { prompt_id: 'p1', background_tasks: [] })
  const paint = (from: number, to: number) =>
    Array.from({ length: Math.round((to - from) * 2) + 1 }, (_, n) => output(from + n / 2, '.'))

  test('what was painted before the end may go on for five seconds', () => {
    const told = play('claude', [prompt, stop, ...paint(5, 30)])
    expect(told.at(14.4)).toBe('idle/turn')
    expect(told.at(15.6)).toBe('unknown')
  })

  test('paint that begins two seconds after the end is of something new', () => {
    expect(play('claude', [prompt, stop, ...paint(11, 20)]).at(14)).toBe('idle/turn')
    expect(play('claude', [prompt, stop, ...paint(12.5, 20)]).at(14)).toBe('unknown')
  })

  test('a redraw of less than a second is no paint', () => {
    expect(play('claude', [prompt, stop, ...paint(20, 20.5)]).at(21)).toBe('idle/turn')
    expect(play('claude', [prompt, stop, ...paint(20, 21.5)]).at(21.6)).toBe('unknown')
  })

  test('after Enter nobody may count on idleness for three seconds', () => {
    const told = play('claude', [claudeStatus(1, 'idle'), keys(20, '\r')])
    expect(told.at(19)).toBe('idle')
    expect(told.at(22.9)).toBe('unknown')
    expect(told.at(23.1)).toBe('idle')
  })

  test('for twice as long as what calls it idle took to show work the last time', () => {
    const idle = (took: number) => [
      claudeStatus(1, 'idle'),
      keys(2, '\r'),
      claudeStatus(2 + took, 'busy'),
      claudeStatus(9, 'idle'),
      keys(20, '\r'),
    ]
    const until = (took: number) => [21.9, 22.1].map(t => play('claude', idle(took)).at(t))
    expect(until(1)).toEqual(['unknown', 'idle'])
    const brief = play('claude', idle(0.1))
    expect([20.4, 20.6].map(t => brief.at(t))).toEqual(['unknown', 'idle'])
  })

  test('for a minute where hooks told of turns and nothing else does, and after each Enter anew', () => {
    const told = play('claude', [keys(0.9, '\r'), prompt, stop, keys(20, '\r')])
    expect(told.at(19)).toBe('idle/turn')
    expect(told.at(79)).toBe('unknown')
    expect(told.at(81)).toBe('idle/turn')
  })
})
