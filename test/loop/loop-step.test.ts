/** What the loop does, on a clock of its own: scenarios in, events and starts of the agent out. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Act, hour, minute, type Scripted, scripted, second } from '../../bench/loop/scripted-loop.ts'
import { idleDefaults } from '../../src/loop/step/idle-backoff.ts'

const idle = 'Nothing to do.\n<!-- ralph:state idle -->'
const says = (marker: string): string => `So it is.\n<!-- ralph:state ${marker} -->`
const busy: Act = { takes: 10 * second, says: 'Did it.' }
const rests: Act = { takes: 10 * second, says: idle }
const fails: Act = { takes: 10 * second, result: { code: 1 } }
const block = { idle: idleDefaults }

/** Acts one after the other, the last one for ever. */
const inTurn =
  (...acts: Act[]) =>
  (iteration: number): Act =>
    acts[Math.min(iteration, acts.length) - 1] as Act

const starts = (loop: Scripted): number[] => loop.calls.map(({ at }) => at / second)
const typesOf = (loop: Scripted): string[] => loop.events.map(({ type }) => type)
const all = (loop: Scripted, type: string) => loop.events.filter(event => event.type === type)
const last = (loop: Scripted, type: string) => all(loop, type).at(-1)

describe('without idleness', () => {
  test('iterations follow each other, with --delay between', () => {
    const loop = scripted({ maxIterations: 3, delay: 5 * second }, inTurn(busy))
    loop.clock.advance(hour)
    expect(starts(loop)).toEqual([0, 15, 30])
    expect(loop.stop()).toEqual({ outcome: 'max_iterations' })
    // No wait after the last.
    expect(all(loop, 'DELAY_STARTED')).toHaveLength(2)
  })

  test('the events of an iteration, in their order', () => {
    const loop = scripted({ maxIterations: 1, commandCount: 2 }, inTurn(busy))
    loop.clock.advance(hour)
    expect(typesOf(loop)).toEqual([
      'RUN_STARTED',
      'ITERATION_STARTED',
      'COMMANDS_STARTED',
      'COMMANDS_COMPLETED',
      'PROMPT_ASSEMBLED',
      'ITERATION_COMPLETED',
      'RUN_STOPPED',
    ])
    expect(last(loop, 'RUN_STOPPED')).toMatchObject({
      outcome: 'max_iterations',
      iterations: 1,
      duration: 10 * second,
      tally: { completed: 1, idle: 0, failed: 0, timedOut: 0, limited: 0 },
    })
  })

  test.each([
    ['a failure', fails, { outcome: 'failed' }],
    ['a limit', { takes: 1, result: { code: 1, turn: 'limit' } } as Act, { outcome: 'limited' }],
    ['a timeout', {} as Act, { outcome: 'timed_out' }],
  ])('--stop-on-error stops at %s', (_, act, stop) => {
    const loop = scripted({ stopOnError: true, timeout: minute }, inTurn(busy, act))
    loop.clock.advance(hour)
    expect(loop.stop()).toEqual(stop)
    expect(loop.calls).toHaveLength(2)
  })

  test.each([
    ['an exit code', { code: 3 }, { reason: 'exit', exitCode: 3 }],
    ['a signal', { signal: 'SIGSEGV' }, { reason: 'signal', signal: 'SIGSEGV' }],
    [
      'a start that failed',
      { code: undefined, notStarted: 'no such command' },
      { reason: 'not_started', error: 'no such command' },
    ],
    [
      'a turn that ended in an error',
      { code: 0, turn: 'error' as const, error: '400' },
      { reason: 'turn', error: '400' },
    ],
    ['a limit', { code: 1, turn: 'limit' as const }, { reason: 'limit' }],
  ])('%s is told, and the loop goes on', (_, result, told) => {
    const loop = scripted({ maxIterations: 2 }, inTurn({ takes: 2000, says: idle, result } as Act, busy))
    loop.clock.advance(hour)
    expect(last(loop, 'ITERATION_FAILED')).toMatchObject(told)
    expect(loop.calls).toHaveLength(2)
  })
})

describe('--timeout', () => {
  test('ends the agent softly, and hard 3 s later', () => {
    const loop = scripted({ timeout: minute, maxIterations: 1 }, inTurn({ dies: 'never' }))
    loop.clock.advance(hour)
    expect(loop.ends).toEqual([
      { at: minute, how: 'soft' },
      { at: minute + 3 * second, how: 'hard' },
    ])
    expect(last(loop, 'ITERATION_TIMED_OUT')).toMatchObject({ timeout: minute, duration: 63 * second })
  })

  test('an agent that heeds the first is left alone', () => {
    const loop = scripted({ timeout: minute, maxIterations: 1 }, inTurn({ dies: second }))
    loop.clock.advance(hour)
    expect(loop.ends).toHaveLength(1)
  })

  test('each iteration has its own time', () => {
    const loop = scripted({ timeout: minute, maxIterations: 3 }, inTurn({ takes: 50 * second }))
    loop.clock.advance(hour)
    expect(all(loop, 'ITERATION_COMPLETED')).toHaveLength(3)
  })
})

describe('idle', () => {
  test('waits longer and longer, up to max_delay', () => {
    const loop = scripted(block, inTurn(busy, rests))
    loop.clock.advance(30 * minute)
    const waits = all(loop, 'DELAY_STARTED').map(event => 'delay' in event && event.delay / second)
    expect(waits.slice(0, 7)).toEqual([30, 60, 120, 240, 300, 300, 300])
    expect(all(loop, 'ITERATION_IDLE')[1]).toMatchObject({
      state: 'idle',
      resultText: idle,
      idleCount: 2,
      idleFor: 40 * second,
      nextDelay: minute,
    })
  })

  test('is told instead of COMPLETED', () => {
    const loop = scripted({ ...block, maxIterations: 2 }, inTurn(rests))
    loop.clock.advance(hour)
    expect(all(loop, 'ITERATION_COMPLETED')).toEqual([])
    expect(all(loop, 'ITERATION_IDLE')).toHaveLength(2)
    expect(last(loop, 'ITERATION_IDLE')).toMatchObject({ nextDelay: null })
    expect(last(loop, 'RUN_STOPPED')).toMatchObject({ tally: { idle: 2, completed: 0 } })
  })

  test('takes the place of --delay', () => {
    const loop = scripted({ ...block, delay: 5 * second, maxIterations: 4 }, inTurn(busy, rests, busy))
    loop.clock.advance(hour)
    expect(starts(loop)).toEqual([0, 15, 55, 70])
  })

  test.each([
    ['work', busy],
    ['a failure', fails],
    ['a timeout', {}],
  ])('%s resets the delay and the time', (_, act: Act) => {
    const loop = scripted({ ...block, timeout: minute }, inTurn(rests, rests, act, rests))
    loop.clock.advance(10 * minute)
    expect(all(loop, 'ITERATION_IDLE')[2]).toMatchObject({ idleCount: 1, idleFor: 0, nextDelay: 30 * second })
  })

  test('commands run every time', () => {
    const loop = scripted({ ...block, commandCount: 1 }, inTurn(rests), { commandsTake: second })
    loop.clock.advance(20 * minute)
    expect(all(loop, 'COMMANDS_COMPLETED')).toHaveLength(loop.calls.length)
    expect(loop.calls.length).toBeGreaterThan(4)
  })

  test('a failing agent’s marker does not count', () => {
    const loop = scripted({ ...block, maxIterations: 1 }, inTurn({ ...rests, result: { code: 1 } }))
    loop.clock.advance(hour)
    expect(all(loop, 'ITERATION_IDLE')).toEqual([])
    expect(all(loop, 'STATE_REPORTED')).toEqual([])
  })
})

describe('idle.max', () => {
  test('stops with its own outcome, after a last look, and no wait goes beyond it', () => {
    const loop = scripted(block, inTurn({ takes: 12 * second, says: idle }))
    loop.clock.advance(24 * hour)
    expect(loop.stop()).toEqual({ outcome: 'idle_max' })
    const begun = 12 * second
    const lastCall = (loop.calls.at(-1)?.at ?? 0) - begun
    expect(lastCall).toBe(6 * hour)
    expect(last(loop, 'ITERATION_IDLE')).toMatchObject({ nextDelay: null })
    expect(last(loop, 'RUN_STOPPED')).toMatchObject({
      message: 'there was nothing to do for 6 h, the most that idle.max allows',
    })
  })

  test('iterations count as much as waits', () => {
    const rule = { delay: second, backoff: 1, maxDelay: second, max: 10 * minute }
    const loop = scripted({ idle: rule }, inTurn({ takes: 3 * minute, says: idle }))
    loop.clock.advance(hour)
    expect(loop.calls).toHaveLength(5)
  })

  test('work in between begins it anew', () => {
    const script = (iteration: number): Act => (iteration % 10 === 0 ? busy : rests)
    const loop = scripted(block, script)
    loop.clock.advance(48 * hour)
    expect(loop.stop()).toBeUndefined()
  })

  test('-n is checked first', () => {
    const rule = { ...idleDefaults, max: 30 * second }
    const loop = scripted({ idle: rule, maxIterations: 2 }, inTurn(rests))
    loop.clock.advance(hour)
    expect(loop.stop()).toEqual({ outcome: 'max_iterations' })
  })
})

describe('a provider’s limit', () => {
  const limited = (until?: number): Act => ({
    takes: 10 * second,
    result: { code: 1, turn: 'limit', ...(until === undefined ? {} : { limitUntil: until }) },
  })

  test('is waited for until its end, where that is known', () => {
    const loop = scripted({ ...block, maxIterations: 2 }, inTurn(limited(2 * hour), busy))
    loop.clock.advance(3 * hour)
    expect(starts(loop)).toEqual([0, 7200])
    expect(last(loop, 'DELAY_STARTED')).toMatchObject({ why: 'limit' })
    expect(last(loop, 'ITERATION_FAILED')).toMatchObject({ reason: 'limit' })
  })

  test('is waited for longer and longer, where it is not', () => {
    const loop = scripted({ ...block, maxIterations: 4 }, inTurn(limited()))
    loop.clock.advance(hour)
    expect(starts(loop)).toEqual([0, 40, 110, 240])
  })

  test('neither resets idleness nor counts as it', () => {
    const acts = inTurn(rests, rests, limited(2 * hour), limited(5 * hour), rests)
    const loop = scripted(block, acts)
    loop.clock.advance(5 * hour + minute)
    // 40 s from the first idle iteration's end to the second's, 60 s of waiting; 10 s of the third idle iteration.
    expect(last(loop, 'ITERATION_IDLE')).toMatchObject({ idleCount: 3, idleFor: 110 * second })
  })

  test('without the block it is a failure like any other', () => {
    const loop = scripted({ maxIterations: 3 }, inTurn(limited(2 * hour)))
    loop.clock.advance(hour)
    expect(starts(loop)).toEqual([0, 10, 20])
  })
})

describe('the other states', () => {
  test('done in the last iteration that is allowed is done', () => {
    const loop = scripted({ ...block, maxIterations: 2 }, inTurn(busy, { takes: 10, says: says('done') }))
    loop.clock.advance(hour)
    expect(loop.stop()).toEqual({ outcome: 'done' })
  })

  test('done stops', () => {
    const loop = scripted(block, inTurn(busy, { takes: 10, says: says('done') }))
    loop.clock.advance(hour)
    expect(loop.stop()).toEqual({ outcome: 'done' })
    expect(all(loop, 'ITERATION_COMPLETED')).toHaveLength(2)
  })

  test('blocked stops, and says why', () => {
    const loop = scripted(block, inTurn({ takes: 10, says: says('blocked no API key') }))
    loop.clock.advance(hour)
    expect(loop.stop()).toEqual({ outcome: 'blocked', reason: 'no API key' })
    expect(last(loop, 'BLOCKED')).toMatchObject({ by: 'marker', reason: 'no API key' })
    expect(last(loop, 'RUN_STOPPED')).toMatchObject({ message: 'the agent needs a person: no API key' })
  })

  test('blocked until a time waits for it', () => {
    const loop = scripted(
      { ...block, maxIterations: 2 },
      inTurn({ takes: 10, says: says('blocked review until=1h') }, busy),
    )
    loop.clock.advance(2 * hour)
    expect(starts(loop)).toEqual([0, 3600.01])
    expect(last(loop, 'ITERATION_IDLE')).toMatchObject({
      state: 'blocked',
      reason: 'review',
      nextDelay: hour,
    })
    expect(all(loop, 'BLOCKED')).toHaveLength(1)
  })

  test('waiting backs off like idle', () => {
    const loop = scripted(
      { ...block, maxIterations: 3 },
      inTurn({ takes: 10 * second, says: says('waiting for CI') }),
    )
    loop.clock.advance(hour)
    expect(starts(loop)).toEqual([0, 40, 110])
    expect(all(loop, 'ITERATION_IDLE')[0]).toMatchObject({ state: 'waiting', reason: 'for CI' })
  })

  test.each([
    ['in so long', 'idle until=20m', 0, 1200],
    ['at a time of day', 'idle until=1970-01-01T01:00:00Z', 0, 3590],
    ['at a time that is past', 'idle until=1970-01-01T00:00:01Z', 0, 30],
    ['at once', 'idle until=0s', 0, 30],
    ['later than max', 'idle until=30d', 0, 6 * 3600],
  ])('until %s', (_, marker, wall, waits) => {
    const loop = scripted(
      { ...block, maxIterations: 2 },
      inTurn({ takes: 10 * second, says: says(marker) }),
      { wall },
    )
    loop.clock.advance(24 * hour)
    expect(starts(loop)).toEqual([0, 10 + waits])
  })

  test('an unknown one is told, and means nothing', () => {
    const loop = scripted({ ...block, maxIterations: 1 }, inTurn({ takes: 10, says: says('sleepy very') }))
    loop.clock.advance(hour)
    expect(last(loop, 'STATE_REPORTED')).toMatchObject({ name: 'sleepy', isKnown: false, reason: 'very' })
    expect(all(loop, 'ITERATION_COMPLETED')).toHaveLength(1)
  })
})

describe('a file without an idle block', () => {
  const acts = [
    busy,
    rests,
    fails,
    { takes: 50, says: says('done') },
    { takes: 50, says: says('blocked x') },
    rests,
    rests,
    busy,
    rests,
  ]

  /** The same run, of an agent that knows no markers. */
  const without = ({ says: _, ...act }: Act): Act => act

  test.each([0, 7 * second])('markers change nothing but that they are told (--delay %i ms)', delay => {
    const plan = { delay, maxIterations: acts.length, commandCount: 1, timeout: minute }
    const [marked, unmarked] = [inTurn(...acts), inTurn(...acts.map(without))].map(script => {
      const loop = scripted(plan, script, { commandsTake: 100 })
      loop.clock.advance(hour)
      return loop
    }) as [Scripted, Scripted]
    const plainly = ({ events }: Scripted) =>
      events
        .filter(({ type }) => type !== 'STATE_REPORTED' && type !== 'LOG_MESSAGE')
        .map(event => ({ ...event, resultText: undefined }))
    expect(plainly(marked)).toEqual(plainly(unmarked))
    expect(marked.calls).toEqual(unmarked.calls)
    expect(marked.stop()).toEqual(unmarked.stop())
    expect(all(marked, 'STATE_REPORTED')).toHaveLength(6)
    const note = 'the agent reports idle, which changes nothing without an idle: block'
    expect(all(marked, 'LOG_MESSAGE')).toMatchObject([
      { level: 'info', message: `${note}: add one to the RALPH.md, or run with --idle` },
    ])
    expect(all(unmarked, 'LOG_MESSAGE')).toEqual([])
  })
})

describe('Ctrl+C', () => {
  test('in an iteration: it is the last', () => {
    const loop = scripted({}, inTurn(busy))
    loop.clock.advance(3 * second)
    loop.interrupt()
    loop.clock.advance(hour)
    expect(loop.calls).toHaveLength(1)
    expect(loop.ends).toEqual([])
    expect(all(loop, 'ITERATION_COMPLETED')).toHaveLength(1)
    expect(loop.stop()).toEqual({ outcome: 'interrupted' })
  })

  test('twice in an iteration: it stops now', () => {
    const loop = scripted({}, inTurn({ dies: second }))
    loop.clock.advance(3 * second)
    loop.interrupt()
    loop.clock.advance(20 * second)
    loop.interrupt()
    loop.clock.advance(second)
    expect(loop.ends).toEqual([{ at: 23 * second, how: 'soft' }])
    expect(last(loop, 'ITERATION_FAILED')).toMatchObject({ reason: 'stopped' })
    expect(loop.stop()).toEqual({ outcome: 'interrupted' })
  })

  test('three times: without the grace', () => {
    const loop = scripted({}, inTurn({ dies: 'never' }))
    loop.clock.advance(3 * second)
    for (const _ of [1, 2, 3]) loop.interrupt()
    loop.clock.advance(0)
    expect(loop.ends.map(({ how }) => how)).toEqual(['soft', 'hard'])
    expect(loop.stop()).toEqual({ outcome: 'interrupted' })
  })

  test('while commands run: the agent is run once more, or, twice, not at all', () => {
    const plan = { commandCount: 1 }
    const once = scripted(plan, inTurn(busy), { commandsTake: 10 * second })
    once.interrupt()
    once.clock.advance(hour)
    expect(once.calls).toHaveLength(1)
    const twice = scripted(plan, inTurn(busy), { commandsTake: 10 * second, commandsDie: second })
    twice.interrupt()
    twice.interrupt()
    twice.clock.advance(second)
    expect(twice.calls).toEqual([])
    expect(twice.stop()).toEqual({ outcome: 'interrupted' })
  })

  test('in a wait: the next iteration now', () => {
    const loop = scripted(block, inTurn(rests, busy))
    loop.clock.advance(20 * second)
    loop.interrupt()
    loop.clock.advance(5 * second)
    expect(starts(loop)).toEqual([0, 20])
    expect(last(loop, 'DELAY_ENDED')).toMatchObject({ why: 'skipped', waited: 10 * second })
    expect(loop.stop()).toBeUndefined()
  })

  test.each([
    [999, 'interrupted'],
    [1000, 'interrupted'],
    [1001, undefined],
  ])('in a wait, and again after %i ms: %s', (ms, outcome) => {
    const loop = scripted(block, inTurn(rests, { takes: minute }))
    loop.clock.advance(20 * second)
    loop.interrupt()
    loop.clock.advance(ms)
    loop.interrupt()
    loop.clock.advance(10)
    expect(loop.stop()?.outcome).toBe(outcome)
  })

  test('in a wait, and again when the next wait has begun', () => {
    const loop = scripted(block, inTurn(rests, { takes: 100, says: idle }))
    loop.clock.advance(20 * second)
    loop.interrupt()
    loop.clock.advance(200)
    loop.interrupt()
    expect(loop.stop()).toEqual({ outcome: 'interrupted' })
    expect(last(loop, 'DELAY_ENDED')).toMatchObject({ why: 'stopped' })
  })

  test('a wait that was skipped leaves idleness as it is', () => {
    const loop = scripted(block, inTurn(rests))
    loop.clock.advance(20 * second)
    loop.interrupt()
    loop.clock.advance(10 * second)
    expect(last(loop, 'ITERATION_IDLE')).toMatchObject({
      idleCount: 2,
      idleFor: 20 * second,
      nextDelay: minute,
    })
  })
})

describe('SIGTERM', () => {
  test('in an iteration: ends the agent, hard after the grace', () => {
    const loop = scripted({}, inTurn({ dies: 'never' }))
    loop.clock.advance(second)
    loop.terminate('SIGTERM')
    loop.terminate('SIGHUP')
    loop.clock.advance(3 * second)
    expect(loop.ends).toEqual([
      { at: second, how: 'soft' },
      { at: 4 * second, how: 'hard' },
    ])
    expect(loop.stop()).toEqual({ outcome: 'terminated', signal: 'SIGTERM' })
  })

  test('in a wait: stops', () => {
    const loop = scripted(block, inTurn(rests))
    loop.clock.advance(20 * second)
    loop.terminate('SIGHUP')
    expect(loop.stop()).toEqual({ outcome: 'terminated', signal: 'SIGHUP' })
  })
})

describe('a skip', () => {
  test('begins the next iteration now, in a wait and in a pause; one that runs goes on', () => {
    const loop = scripted(block, inTurn(rests, busy))
    loop.skip()
    expect(loop.calls).toHaveLength(1)
    loop.clock.advance(20 * second)
    loop.skip()
    expect([loop.calls.length, last(loop, 'DELAY_ENDED')]).toMatchObject([2, { why: 'skipped' }])
    // Not as Ctrl+C: another one does not stop it.
    loop.skip()
    expect(loop.stop()).toBeUndefined()
  })

  test('ends a pause without what was left of its wait', () => {
    const loop = scripted(block, inTurn(rests))
    loop.clock.advance(20 * second)
    loop.pause()
    expect(loop.status()).toEqual({ phase: 'paused', iteration: 1, isPausing: false })
    loop.clock.advance(10 * hour)
    loop.skip()
    expect([loop.calls.length, loop.status()]).toMatchObject([2, { phase: 'iterating', iteration: 2 }])
    // The pause is no idle time: with it, the loop would stop after idle.max.
    loop.until('ITERATION_IDLE')
    expect([last(loop, 'ITERATION_IDLE'), loop.stop()]).toMatchObject([{ idleFor: 20 * second }, undefined])
  })
})

describe('a pause', () => {
  test('comes after the iteration', () => {
    const loop = scripted({}, inTurn(busy))
    loop.clock.advance(second)
    loop.pause()
    loop.clock.advance(hour)
    expect(loop.calls).toHaveLength(1)
    expect(last(loop, 'RUN_PAUSED')?.at).toBe(10 * second)
    loop.resume()
    expect(loop.calls).toHaveLength(2)
  })

  test('in a wait: what is left of it follows, and the pause is no idleness', () => {
    const loop = scripted(block, inTurn(rests))
    loop.clock.advance(20 * second)
    loop.pause()
    loop.clock.advance(10 * hour)
    loop.resume()
    loop.clock.advance(30 * second)
    expect(starts(loop)).toEqual([0, 36_040])
    expect(last(loop, 'ITERATION_IDLE')).toMatchObject({ idleFor: 40 * second })
  })

  test('asked for and taken back is none', () => {
    const loop = scripted({}, inTurn(busy))
    loop.pause()
    loop.resume()
    loop.clock.advance(15 * second)
    expect(loop.calls).toHaveLength(2)
  })
})

describe('an agent that ends at once', () => {
  test('and fails, a hundred times: the waits grow to a minute', () => {
    const loop = scripted({ maxIterations: 100 }, inTurn({ takes: 20, result: { code: 1 } }))
    loop.clock.advance(3 * hour)
    const waits = all(loop, 'DELAY_STARTED').map(event => 'delay' in event && event.delay / second)
    expect(waits.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    expect(loop.calls).toHaveLength(100)
    expect(all(loop, 'LOG_MESSAGE')).toHaveLength(1)
    expect(loop.stop()).toEqual({ outcome: 'max_iterations' })
  })

  test('and succeeds: once a second at the most', () => {
    const loop = scripted({}, inTurn({ takes: 20 }))
    loop.clock.advance(minute)
    expect(loop.calls.length).toBeLessThan(70)
  })

  test('a longer --delay stays as it is', () => {
    const loop = scripted({ delay: 5 * minute }, inTurn({ takes: 20, result: { code: 1 } }))
    loop.clock.advance(24 * hour)
    expect(all(loop, 'DELAY_STARTED').every(event => 'why' in event && event.why === 'delay')).toBe(true)
  })
})

test('a wait until a time of day ends at it, even if the machine slept meanwhile', () => {
  const loop = scripted(
    { ...block, maxIterations: 2 },
    inTurn({ takes: 10 * second, says: says('idle until=1970-01-01T01:00:00Z') }, busy),
  )
  loop.clock.advance(10 * second)
  // The wall goes on while the monotonic clock stands still.
  loop.clock.wall = () => hour
  loop.clock.advance(minute)
  expect(starts(loop)).toEqual([0, 40])
})

test('whatever comes, at any time: one end an iteration, and nothing after the end', () => {
  const acts = fc.constantFrom<Act>(
    busy,
    rests,
    fails,
    { dies: 'never' },
    { dies: 1500 },
    { takes: 5, says: says('done') },
    {
      takes: 5,
      says: says('waiting until=2m'),
    },
  )
  const inputs = fc.array(
    fc.record({
      after: fc.integer({ min: 0, max: 100_000 }),
      what: fc.constantFrom('interrupt', 'terminate', 'pause', 'resume', 'nothing'),
    }),
    { maxLength: 30 },
  )
  const plans = fc.record({
    withIdle: fc.boolean(),
    stopOnError: fc.boolean(),
    delay: fc.constantFrom(0, 2000),
    maxIterations: fc.constantFrom(3, 50),
  })
  fc.assert(
    fc.property(fc.array(acts, { minLength: 1, maxLength: 8 }), inputs, plans, (script, given, plan) => {
      const { withIdle, ...rest } = plan
      const loop = scripted(
        { ...rest, timeout: minute, commandCount: 1, ...(withIdle ? block : {}) },
        inTurn(...script),
        {
          commandsTake: 50,
          commandsDie: 20,
        },
      )
      for (const { after, what } of given) {
        loop.clock.advance(after)
        if (what !== 'nothing') loop[what as 'interrupt']()
      }
      const types = typesOf(loop)
      const count = (pattern: RegExp): number => types.filter(type => pattern.test(type)).length
      const begun = count(/^ITERATION_STARTED$/)
      const ended = count(/^ITERATION_(COMPLETED|FAILED|TIMED_OUT|IDLE)$/)
      const isStopped = loop.stop() !== undefined
      expect(begun - ended).toBeGreaterThanOrEqual(0)
      expect(begun - ended).toBeLessThanOrEqual(isStopped ? 0 : 1)
      expect(count(/^RUN_STOPPED$/)).toBe(isStopped ? 1 : 0)
      if (isStopped) expect(types.at(-1)).toBe('RUN_STOPPED')
      expect(count(/^DELAY_STARTED$/) - count(/^DELAY_ENDED$/)).toBeLessThanOrEqual(isStopped ? 0 : 1)
    }),
    { numRuns: 300 },
  )
})
