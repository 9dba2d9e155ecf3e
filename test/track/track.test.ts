/** Sessions over time, on a clock that the test moves: timers, changes and subscribers. */
import { describe, expect, test } from 'vitest'
import { startedSession } from '../../src/core/advance.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { HealthSignal, News, Sign } from '../../src/core/evidence/signal.ts'
import { describeState } from '../../src/core/explain/explain.ts'
import { newSession } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { createTrack, type TrackChange } from '../../src/track/track.ts'

const turn = { kind: 'working', doing: 'thinking' } as const
const tool = { kind: 'working', doing: 'tool' } as const
const done = { kind: 'idle', after: 'turn' } as const

const news = (at: number, says: State, more: Partial<News> = {}): News => ({
  type: 'news',
  source: 'hook',
  what: says.kind,
  lane: 'main',
  state: says,
  at,
  seen: at,
  ...more,
})

const sign = (at: number, says: State, more: Partial<Sign> = {}): Sign => ({
  type: 'sign',
  source: 'status',
  what: says.kind,
  state: says,
  excludes: ['working', 'waiting'],
  tier: 'declared',
  lag: 750,
  since: at,
  seen: at,
  alive: true,
  ...more,
})

const paint = (since: number, seen: number): Sign =>
  sign(
    since,
    { kind: 'working' },
    { source: 'paint', tier: 'inferred', lag: 0, hold: 1300, excludes: [], seen },
  )

/** A virtual clock that knows how many of its timers are set. */
function countedClock() {
  const clock = virtualClock()
  const set = new Set<object>()
  const at: Clock['at'] = (due, call) => {
    const timer = clock.at(due, () => {
      set.delete(timer)
      call()
    })
    set.add(timer)
    return { cancel: () => set.delete(timer) && timer.cancel() }
  }
  return { clock: { ...clock, at }, advance: clock.advance, timers: () => set.size }
}

const told = ({ id, verdict }: TrackChange): string => `${id} ${describeState(verdict.state)}`

/** The changes that a closed or left stream still holds. */
async function allOf(changes: AsyncIterable<TrackChange>): Promise<string[]> {
  const all: string[] = []
  for await (const change of changes) all.push(told(change))
  return all
}

describe('a recheck that falls due', () => {
  test('paint that stops is forgotten, though nothing more is heard', () => {
    const { clock, advance, timers } = countedClock()
    const track = createTrack(clock)
    track.file('a', [news(0, turn, { starts: true })])
    track.file('a', [news(0, done)])
    advance(10_000)
    track.file('a', [paint(9000, 10_000)])
    expect(track.get('a')?.verdict).toMatchObject({ state: { kind: 'unknown' }, recheckAt: 11_300 })
    advance(1299)
    expect(track.get('a')?.verdict.state).toEqual({ kind: 'unknown' })
    advance(1)
    expect(track.get('a')?.verdict.state).toEqual(done)
    expect(timers()).toBe(0)
  })

  test('idleness that settles ends the start', async () => {
    const clock = virtualClock()
    const track = createTrack(clock)
    const changes = track.changes()
    track.begin('a', startedSession(0))
    clock.advance(100)
    track.file('a', [sign(100, { kind: 'idle' }, { settles: 400 })])
    clock.advance(399)
    expect(track.get('a')?.verdict.state).toEqual({ kind: 'starting' })
    clock.advance(1)
    track.close()
    expect(await allOf(changes)).toEqual(['a starting', 'a idle'])
  })

  test('news that hold for a while end when it is over', () => {
    const clock = virtualClock()
    const track = createTrack(clock)
    track.file('a', [news(0, done)])
    track.file('a', [news(0, { kind: 'working', doing: 'background' }, { lane: 'sub:1', hold: 1000 })])
    clock.advance(999)
    expect(track.get('a')?.verdict.state.kind).toBe('working')
    clock.advance(1)
    expect(track.get('a')?.verdict.state).toEqual(done)
  })

  test('silence is told five minutes after the last news, once', async () => {
    const clock = virtualClock()
    const track = createTrack(clock)
    const changes = track.changes()
    track.file('a', [news(0, turn, { starts: true })])
    clock.advance(200_000)
    track.file('a', [news(200_000, turn)])
    clock.advance(299_999)
    expect(track.get('a')?.verdict.health.level).toBe('healthy')
    clock.advance(1_000_000)
    expect(track.get('a')?.verdict.health.level).toBe('suspicious')
    track.close()
    expect(await allOf(changes)).toEqual(['a working/thinking', 'a working/thinking'])
  })
})

describe('timers', () => {
  test('one a session, however many signals it has', () => {
    const { clock, timers } = countedClock()
    const track = createTrack(clock)
    for (let i = 0; i < 50; i++) {
      track.file('a', [news(0, turn, { starts: true }), paint(0, 0)])
      track.file('b', [news(0, turn, { starts: true })])
      track.file('c', [news(0, tool)])
    }
    expect(timers()).toBe(2)
  })

  test.each([
    ['forget', (track: ReturnType<typeof createTrack>) => track.forget('a')],
    ['close', (track: ReturnType<typeof createTrack>) => track.close()],
  ])('%s cancels them', async (_, end) => {
    const { clock, advance, timers } = countedClock()
    const track = createTrack(clock)
    const changes = track.changes()
    track.file('a', [news(0, turn, { starts: true })])
    end(track)
    expect(timers()).toBe(0)
    advance(1_000_000)
    track.close()
    track.file('a', [news(0, turn, { starts: true })])
    expect(timers()).toBe(0)
    expect(await allOf(changes)).toEqual(['a working/thinking'])
  })

  test('they fire in the order of their time, whatever the order of filing', async () => {
    const clock = virtualClock()
    const track = createTrack(clock)
    const work = { kind: 'working', doing: 'background' } as const
    for (const [id, hold] of Object.entries({ late: 300, soon: 100, between: 200 }))
      track.file(id, [news(0, done), news(0, work, { lane: 'bg:1', hold })])
    const changes = track.changes()
    clock.advance(1000)
    track.close()
    expect(await allOf(changes)).toEqual(['soon idle/turn', 'between idle/turn', 'late idle/turn'])
  })
})

describe('sessions', () => {
  test('begin with their first signal, and are forgotten on demand', () => {
    const track = createTrack(virtualClock())
    expect(track.get('a')).toBeUndefined()
    expect(track.file('a', [news(0, done)]).state).toEqual(done)
    track.file('b', [])
    expect(track.ids()).toEqual(['a', 'b'])
    track.forget('a')
    track.forget('never seen')
    expect([track.ids(), track.get('a')]).toEqual([['b'], undefined])
    expect(track.file('a', []).state).toEqual({ kind: 'unknown' })
  })
})

describe('changes', () => {
  test('are told from the call on, though nobody reads yet', async () => {
    const track = createTrack(virtualClock())
    track.file('a', [news(0, turn, { starts: true })])
    const changes = track.changes()
    track.file('a', [news(0, turn)])
    track.file('a', [news(0, tool)])
    track.file('b', [news(0, done)])
    track.close()
    expect(await allOf(changes)).toEqual(['a working/tool', 'b idle/turn'])
  })

  test('wake a reader that waits, and end when the track is closed', async () => {
    const track = createTrack(virtualClock())
    const changes = track.changes()
    const next = changes.next()
    track.begin('a', newSession(0))
    expect((await next).value).toMatchObject({ id: 'a', verdict: { state: { kind: 'unknown' } } })
    const end = changes.next()
    track.close()
    expect(await end).toEqual({ value: undefined, done: true })
    track.file('a', [news(0, done)])
    expect(await changes.next()).toEqual({ value: undefined, done: true })
  })

  test('of a track that is closed already are none', async () => {
    const track = createTrack(virtualClock())
    track.close()
    expect(await allOf(track.changes())).toEqual([])
  })

  test('a reader that does not keep up is told the newest of each session', async () => {
    const track = createTrack(virtualClock())
    const changes = track.changes()
    track.file('quiet', [news(0, turn)])
    track.file('quiet', [news(1, done)])
    for (let i = 0; i < 1500; i++) track.file(`s${i}`, [news(0, done)])
    track.close()
    const all = await allOf(changes)
    expect([all.length, all[0], all.at(-1)]).toEqual([1501, 'quiet idle/turn', 's1499 idle/turn'])
  })

  test('each reader has its own; one that leaves is told nothing more', async () => {
    const track = createTrack(virtualClock())
    const [stays, leaves] = [track.changes(), track.changes()]
    track.file('a', [news(0, done)])
    expect(await leaves.return?.()).toEqual({ value: undefined, done: true })
    track.file('b', [news(0, done)])
    track.close()
    expect(await allOf(stays)).toEqual(['a idle/turn', 'b idle/turn'])
    expect(await allOf(leaves)).toEqual([])
  })

  test('two reads at once get a change each', async () => {
    const track = createTrack(virtualClock())
    const changes = track.changes()
    const reads = [changes.next(), changes.next()]
    track.file('a', [news(0, done)])
    track.file('b', [news(0, done)])
    track.close()
    expect((await Promise.all(reads)).map(({ value }) => value?.id)).toEqual(['a', 'b'])
  })
})

test('what is asked, how it ended and what is pending is a change as well; what is learnt besides is none', () => {
  const told: string[] = []
  const track = createTrack(virtualClock(), id => told.push(JSON.stringify(track.get(id)?.facts)))
  const learn = (facts: object) => track.file('a', [{ type: 'facts', facts, at: 0 }])
  track.file('a', [news(0, turn, { starts: true })])
  learn({ finalMessage: 'I begin.', model: 'm' })
  track.file('a', [news(0, { kind: 'waiting', for: 'permission' }, { lane: 'ask:main:1' })])
  expect(told).toHaveLength(2)
  learn({ tool: 'Bash', about: 'npm publish' })
  learn({ tokensIn: 5 })
  expect(told).toHaveLength(3)
  learn({ question: 'npm publish --tag next' })
  learn({ question: 'npm publish --tag next' })
  expect(told).toHaveLength(4)
  track.file('a', [news(0, done, { ends: ['ask:*'] })])
  expect(told).toHaveLength(5)
  learn({ finalMessage: 'All is done.' })
  expect(told).toHaveLength(6)
  expect(told.at(-1)).toContain('All is done.')
  learn({ background: [{ kind: 'server' }] })
  learn({ background: [{ kind: 'server', what: 'npm run dev' }] })
  expect(told).toHaveLength(7)
  learn({ background: [], wakes: [{ kind: 'wakeup', at: 9000 }] })
  expect(told).toHaveLength(8)
})

test('a health that has become more certain is a change', () => {
  const { clock, advance } = countedClock()
  const told: string[] = []
  const track = createTrack(clock, id => told.push(track.get(id)?.verdict.health.certainty ?? ''))
  const report = (certainty: 'low' | 'high', at: number): HealthSignal => ({
    type: 'health',
    source: 'process',
    owner: 'pid:1',
    what: 'it reads its stdin',
    health: { level: 'likely_stuck', cause: 'stdin', certainty },
    since: 0,
    seen: at,
    alive: true,
  })
  track.file('a', [report('low', clock.now())])
  advance(1000)
  track.file('a', [report('high', clock.now())])
  advance(1000)
  track.file('a', [report('high', clock.now())])
  track.close()
  expect(told).toEqual(['low', 'high'])
})
