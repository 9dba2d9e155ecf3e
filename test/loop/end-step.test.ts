/** What the end of an iteration, of a wait and of a pause is told as: every field, and no field that says nothing. */
import { describe, expect, test } from 'vitest'
import type { Happening } from '../../src/loop/loop-events.ts'
import { crashBackoff, endIteration } from '../../src/loop/step/end-step.ts'
import { idleDefaults } from '../../src/loop/step/idle-backoff.ts'
import type {
  AgentResult,
  Delay,
  Input,
  LoopEffect,
  LoopState,
  Phase,
  Plan,
} from '../../src/loop/step/loop-state.ts'
import { newLoop, step } from '../../src/loop/step/loop-step.ts'

type Iterating = Extract<Phase, { kind: 'iterating' }>

const plan: Plan = {
  ralph: 'work',
  agent: ['agent'],
  commandCount: 0,
  warnings: [],
  stopOnError: false,
  delay: 0,
}
const withIdle: Plan = { ...plan, idle: idleDefaults }
const stateOf = (given: Plan, more: Partial<LoopState> = {}): LoopState => ({
  ...newLoop(given),
  iteration: 3,
  ...more,
})
const phase: Iterating = { kind: 'iterating', from: 1000, agentAt: 2000 }

/** The iteration began at 1 s and ends at 11 s; the wall clock shows 5 s more. */
const now = 11_000
const input = (what: object, at = now): Input => ({ now: at, wall: at + 5000, ...what }) as Input
const ended = (result: AgentResult, state = stateOf(withIdle), of: Iterating = phase) =>
  endIteration(state, of, result, input({ type: 'agent_ended', result }))
const told = (effects: readonly LoopEffect[]): readonly Happening[] =>
  effects.flatMap(effect => (effect.do === 'emit' ? [effect.event] : []))
const waits = (why: Delay['why'], ms: number, more: Partial<Delay> = {}) => ({
  delay: { why, from: now, until: now + ms, ...more },
})

describe('an iteration that is over', () => {
  const completed = { type: 'ITERATION_COMPLETED', iteration: 3, duration: 10_000 }
  const idle = { type: 'ITERATION_IDLE', iteration: 3, duration: 10_000, idleCount: 1, idleFor: 0 }
  const failed = { type: 'ITERATION_FAILED', iteration: 3, duration: 10_000 }
  const reported = { type: 'STATE_REPORTED', iteration: 3 }

  test.each<[string, AgentResult, object[]]>([
    ['work', { code: 0 }, [completed]],
    ['work with a last word', { code: 0, resultText: 'Did it.' }, [{ ...completed, resultText: 'Did it.' }]],
    ['an exit code', { code: 3 }, [{ ...failed, reason: 'exit', exitCode: 3 }]],
    ['a signal', { signal: 'SIGSEGV' }, [{ ...failed, reason: 'signal', signal: 'SIGSEGV' }]],
    [
      'no start',
      { notStarted: 'no such command', error: 'and more' },
      [{ ...failed, reason: 'not_started', error: 'no such command' }],
    ],
    [
      'a turn that ended in an error',
      { code: 0, turn: 'error', error: '400' },
      [{ ...failed, reason: 'turn', exitCode: 0, error: '400' }],
    ],
    [
      'a turn that was interrupted',
      { code: 0, turn: 'interrupt' },
      [{ ...failed, reason: 'turn', exitCode: 0 }],
    ],
    ['a limit', { code: 0, turn: 'limit' }, [{ ...failed, reason: 'limit', exitCode: 0 }]],
    [
      'idleness',
      { code: 0, marker: { name: 'idle' } },
      [
        { ...reported, name: 'idle', isKnown: true },
        { ...idle, state: 'idle', nextDelay: 30_000 },
      ],
    ],
    [
      'waiting, with a reason',
      { code: 0, marker: { name: 'waiting', reason: 'for CI' } },
      [
        { ...reported, name: 'waiting', isKnown: true, reason: 'for CI' },
        { ...idle, state: 'waiting', reason: 'for CI', nextDelay: 30_000 },
      ],
    ],
    [
      'a block that ends by itself',
      { code: 0, marker: { name: 'blocked', until: { in: 5000 } } },
      [
        { ...reported, name: 'blocked', isKnown: true, until: { in: 5000 } },
        { ...idle, state: 'blocked', nextDelay: 5000 },
        { type: 'BLOCKED', iteration: 3, by: 'marker' },
      ],
    ],
    [
      'an unknown marker with a time',
      { code: 0, marker: { name: 'sleepy', until: { in: 5000 } } },
      [{ ...reported, name: 'sleepy', isKnown: false, until: { in: 5000 } }, completed],
    ],
    [
      'done',
      { code: 0, marker: { name: 'done', until: { in: 5000 } } },
      [{ ...reported, name: 'done', isKnown: true, until: { in: 5000 } }, completed],
    ],
  ])('%s', (_, result, events) => expect(told(ended(result).effects)).toStrictEqual(events))

  test('without an idle block a marker is told, and blocks nothing', () => {
    const result: AgentResult = { code: 0, marker: { name: 'blocked', reason: 'no key' } }
    const { effects, next } = ended(result, stateOf(plan))
    expect(told(effects)).toStrictEqual([
      { ...reported, name: 'blocked', isKnown: true, reason: 'no key' },
      { type: 'LOG_MESSAGE', level: 'info', message: expect.stringContaining('without an idle: block') },
      completed,
    ])
    expect(next).toStrictEqual({ delay: undefined })
  })

  test('that was told to end is a failure, or took too long', () => {
    const ending = (why: 'stop' | 'timeout'): Iterating => ({
      ...phase,
      ending: { why, at: 9000, isHard: false },
    })
    const marker = { name: 'idle' } as const
    expect(
      told(ended({ signal: 'SIGTERM', marker }, stateOf(withIdle), ending('stop')).effects),
    ).toStrictEqual([{ ...failed, reason: 'stopped', signal: 'SIGTERM' }])
    const timed = stateOf({ ...withIdle, timeout: 8000 })
    expect(told(ended({ code: 0 }, timed, ending('timeout')).effects)).toStrictEqual([
      { type: 'ITERATION_TIMED_OUT', iteration: 3, duration: 10_000, timeout: 8000 },
    ])
  })
})

describe('what comes after an iteration', () => {
  const next = (result: AgentResult, more: Partial<Plan> = {}, state: Partial<LoopState> = {}) =>
    ended(result, stateOf({ ...withIdle, delay: 700, ...more }, state)).next
  const marked = (name: string, more: object = {}): AgentResult => ({ code: 0, marker: { name, ...more } })

  test.each<[string, AgentResult, ReturnType<typeof next>]>([
    ['work', { code: 0 }, waits('delay', 700)],
    ['idleness', marked('idle'), waits('idle', 30_000)],
    ['idleness until', marked('idle', { until: { in: 5000 } }), waits('until', 5000)],
    ['idleness until now', marked('idle', { until: { in: 0 } }), waits('idle', 30_000)],
    [
      'idleness until a time of day',
      marked('idle', { until: { at: now + 5000 + 9000 } }),
      waits('until', 9000, { untilWall: now + 14_000 }),
    ],
    [
      'idleness until a time of day that is now',
      marked('idle', { until: { at: now + 5000 } }),
      waits('idle', 30_000),
    ],
    ['done', marked('done'), { stop: { outcome: 'done' } }],
    [
      'done, and why',
      marked('done', { reason: 'all green' }),
      { stop: { outcome: 'done', reason: 'all green' } },
    ],
    ['blocked', marked('blocked'), { stop: { outcome: 'blocked' } }],
    ['an unknown marker', marked('sleepy'), waits('delay', 700)],
    ['a limit until', { code: 1, turn: 'limit', limitUntil: now + 400 }, waits('limit', 400)],
    ['a limit that is over', { code: 1, turn: 'limit', limitUntil: now }, waits('limit', 30_000)],
  ])('%s', (_, result, expected) => expect(next(result)).toStrictEqual(expected))

  test('no wait where none is asked for', () => {
    expect(next({ code: 0 }, { delay: 0 })).toStrictEqual({ delay: undefined })
  })

  test('a stop that was asked for comes before all else', () => {
    const stop = { outcome: 'interrupted' } as const
    expect(next(marked('done'), { stopOnError: true }, { stop })).toStrictEqual({ stop })
  })

  test('the last iteration is the last, and no other', () => {
    expect(next({ code: 0 }, { maxIterations: 3 })).toStrictEqual({ stop: { outcome: 'max_iterations' } })
    expect(next({ code: 0 }, { maxIterations: 4 })).toStrictEqual(waits('delay', 700))
  })
})

describe('an agent that ends at once', () => {
  const quick: Iterating = { ...phase, agentAt: now - 999 }
  const free = crashBackoff.free
  const quickly = (quickEnds: number, result: AgentResult = { code: 0 }, of = quick) =>
    ended(result, stateOf({ ...plan, delay: 700 }, { quickEnds }), of)

  test('within a second, and not at a second', () => {
    expect(quickly(2).state.quickEnds).toBe(3)
    expect(quickly(2, { code: 0 }, { ...phase, agentAt: now - 1000 }).state.quickEnds).toBe(0)
    expect(crashBackoff.isQuickEnd(999)).toBe(true)
    expect(crashBackoff.isQuickEnd(1000)).toBe(false)
  })

  test('is slowed down once it has done so more often than is free', () => {
    expect(quickly(free - 1).next).toStrictEqual(waits('delay', 700))
    expect(quickly(free).next).toStrictEqual(waits('at_once', 1000))
    expect(quickly(free + 1, { code: 1 }).next).toStrictEqual(waits('at_once', 2000))
    expect(crashBackoff.waitAfter(free + 1, false)).toBe(1000)
    expect(crashBackoff.waitAfter(free + 9, false)).toBe(1000)
    expect([1, 2, 6, 7, 99].map(count => crashBackoff.waitAfter(free + count, true))).toStrictEqual([
      1000, 2000, 32_000, 60_000, 60_000,
    ])
  })

  test('is warned of once, when that begins', () => {
    const logged = (quickEnds: number) =>
      told(quickly(quickEnds).effects).filter(({ type }) => type === 'LOG_MESSAGE')
    expect(logged(free - 1)).toStrictEqual([])
    expect(logged(free)).toStrictEqual([
      {
        type: 'LOG_MESSAGE',
        level: 'warning',
        message: 'the agent has ended 6 times in a row within a second: the loop waits between runs now',
      },
    ])
    expect(logged(free + 1)).toStrictEqual([])
  })

  test('a delay as long as that stays the delay', () => {
    const state = stateOf({ ...plan, delay: 1000 }, { quickEnds: free })
    expect(ended({ code: 0 }, state, quick).next).toStrictEqual(waits('delay', 1000))
  })
})

describe('while an iteration runs', () => {
  const iterating = (more: Partial<Plan> = {}, state: Partial<LoopState> = {}): LoopState =>
    stateOf({ ...plan, ...more }, { phase: { kind: 'iterating', from: 1000 }, ...state })
  const prepared = (results: readonly object[] = []) => input({ type: 'prepared', prompt: 'Go on.', results })

  test('the agent is started with its prompt, and has its time', () => {
    const assembled = {
      do: 'emit',
      event: { type: 'PROMPT_ASSEMBLED', iteration: 3, promptLength: 6 },
    }
    const start = { do: 'start_agent', iteration: 3, prompt: 'Go on.' }
    expect(step(iterating(), prepared()).effects).toStrictEqual([assembled, start])
    const results = [{ name: 'git', code: 0 }]
    expect(step(iterating({ commandCount: 1, timeout: 500 }), prepared(results)).effects).toStrictEqual([
      { do: 'emit', event: { type: 'COMMANDS_COMPLETED', iteration: 3, results } },
      assembled,
      { do: 'timer', at: now + 500 },
      start,
    ])
  })

  test('commands that were told to end are told, and no agent is started', () => {
    const ending = { why: 'stop', at: 9000, isHard: false } as const
    const state = iterating(
      { commandCount: 1 },
      { phase: { kind: 'iterating', from: 1000, ending }, stop: { outcome: 'interrupted' } },
    )
    const events = told(step(state, prepared([{ name: 'git', code: 1 }])).effects)
    expect(events.map(({ type }) => type)).toStrictEqual([
      'COMMANDS_COMPLETED',
      'ITERATION_FAILED',
      'RUN_STOPPED',
    ])
  })

  test('Ctrl+C says what it does; a second ends softly, a third hard', () => {
    const first = step(iterating(), input({ type: 'interrupt' }))
    expect(told(first.effects)).toStrictEqual([
      {
        type: 'LOG_MESSAGE',
        level: 'info',
        message: 'iteration 3 is finished first, Ctrl+C again stops now',
      },
    ])
    const second = step(first.state, input({ type: 'interrupt' }))
    expect(second.effects).toStrictEqual([
      { do: 'end', how: 'soft' },
      { do: 'timer', at: now + 3000 },
    ])
    const third = step(second.state, input({ type: 'interrupt' }))
    expect(third.effects).toStrictEqual([{ do: 'no_timer' }, { do: 'end', how: 'hard' }])
    expect(step(third.state, input({ type: 'interrupt' }))).toStrictEqual({ state: third.state, effects: [] })
  })

  test('what is ending goes on ending, and its grace is waited for', () => {
    const ended = step(iterating(), input({ type: 'terminate', signal: 'SIGTERM' }))
    expect(ended.state.stop).toStrictEqual({ outcome: 'terminated', signal: 'SIGTERM' })
    expect(step(ended.state, input({ type: 'terminate' }))).toStrictEqual({ state: ended.state, effects: [] })
    expect(step(ended.state, input({ type: 'time' }, now + 2999)).effects).toStrictEqual([
      { do: 'timer', at: now + 3000 },
    ])
    const hard = step(ended.state, input({ type: 'time' }, now + 3000))
    expect(hard.effects).toStrictEqual([{ do: 'no_timer' }, { do: 'end', how: 'hard' }])
    expect(step(hard.state, input({ type: 'time' }, now + 9000)).effects).toStrictEqual([])
  })

  test('a signal without a name', () => {
    expect(step(iterating(), input({ type: 'terminate' })).state.stop).toStrictEqual({
      outcome: 'terminated',
    })
  })

  test('a timeout that has begun to end it is not taken for a stop', () => {
    const timed = iterating({ timeout: 500 }, { phase })
    const ended = step(timed, input({ type: 'time' }))
    expect(ended.state.phase).toMatchObject({ ending: { why: 'timeout', at: now, isHard: false } })
    const asked = step(ended.state, input({ type: 'terminate' }))
    expect(asked.state.phase).toMatchObject({ ending: { why: 'timeout' } })
    expect(asked.effects).toStrictEqual([])
  })
})

describe('a wait', () => {
  const delay: Delay = { why: 'idle', from: 1000, until: 61_000 }
  const waiting = (of: Delay = delay, more: Partial<LoopState> = {}): LoopState =>
    stateOf(withIdle, { phase: { kind: 'delaying', delay: of }, ...more })
  const over = (why: string) => ({ type: 'DELAY_ENDED', iteration: 3, why, waited: 10_000 })
  const eventsOf = (state: LoopState, what: object) => told(step(state, input(what)).effects)

  test('is waited for until it is over', () => {
    expect(step(waiting(), input({ type: 'time' })).effects).toStrictEqual([{ do: 'timer', at: 61_000 }])
    expect(told(step(waiting(), input({ type: 'time' }, 61_000)).effects)[0]).toStrictEqual({
      ...over('elapsed'),
      waited: 60_000,
    })
  })

  test('until a time of day looks at the wall clock every half minute', () => {
    const wall: Delay = { ...delay, untilWall: 61_000 + 5000 }
    expect(step(waiting(wall), input({ type: 'time' })).effects).toStrictEqual([
      { do: 'timer', at: now + 30_000 },
    ])
    expect(step(waiting(wall), input({ type: 'time' }, 40_000)).effects).toStrictEqual([
      { do: 'timer', at: 61_000 },
    ])
    // The machine slept: the wall is there, the monotonic clock is not.
    const late = { ...input({ type: 'time' }), wall: 66_000 }
    expect(told(step(waiting(wall), late).effects)[0]).toStrictEqual(over('elapsed'))
  })

  test.each([
    ['interrupt', ['skipped'], 'ITERATION_STARTED'],
    ['terminate', ['stopped'], 'RUN_STOPPED'],
    ['pause', ['paused'], 'RUN_PAUSED'],
  ])('%s', (type, [why = ''], then) => {
    const [first, second] = eventsOf(waiting(), { type })
    expect(first).toStrictEqual(over(why))
    expect(second?.type).toBe(then)
  })

  test('that is skipped twice within a second stops', () => {
    expect(eventsOf(waiting(delay, { skippedAt: now - 1000 }), { type: 'interrupt' }).at(-1)).toMatchObject({
      type: 'RUN_STOPPED',
      outcome: 'interrupted',
    })
    expect(eventsOf(waiting(delay, { skippedAt: now - 1001 }), { type: 'interrupt' })[0]).toStrictEqual(
      over('skipped'),
    )
  })
})

describe('a pause', () => {
  const delay: Delay = { why: 'idle', from: 1000, until: 16_000 }
  const paused = (of?: Delay, more: Partial<LoopState> = {}): LoopState =>
    stateOf(withIdle, { phase: { kind: 'paused', at: 10_000, ...(of && { delay: of }) }, ...more })
  const resume = (state: LoopState) => step(state, input({ type: 'resume' }))

  test('begins without a timer', () => {
    const { state, effects } = step(
      stateOf(withIdle, { phase: { kind: 'delaying', delay }, isPauseAsked: true }),
      input({ type: 'pause' }),
    )
    expect(effects.slice(1)).toStrictEqual([
      { do: 'no_timer' },
      { do: 'emit', event: { type: 'RUN_PAUSED' } },
    ])
    expect(state).toMatchObject({ isPauseAsked: false, phase: { kind: 'paused', at: now, delay } })
  })

  test('is followed by what was left of the wait', () => {
    const { state, effects } = resume(paused(delay))
    expect(state.phase).toStrictEqual({
      kind: 'delaying',
      delay: { why: 'idle', from: now, until: now + 6000 },
    })
    expect(told(effects)).toStrictEqual([
      { type: 'RUN_RESUMED' },
      { type: 'DELAY_STARTED', iteration: 3, why: 'idle', delay: 6000 },
    ])
  })

  test('or by the next iteration, where nothing was left', () => {
    const next = ['RUN_RESUMED', 'ITERATION_STARTED']
    expect(told(resume(paused()).effects).map(({ type }) => type)).toStrictEqual(next)
    const over = { ...delay, until: 10_000 }
    expect(told(resume(paused(over)).effects).map(({ type }) => type)).toStrictEqual(next)
  })

  test('is no idleness, unless idleness was suspended already', () => {
    expect(resume(paused(delay, { idle: { count: 2, since: 500 } })).state.idle).toStrictEqual({
      count: 2,
      since: 1500,
    })
    const suspended = { count: 2, since: 500, suspendedAt: 800 }
    expect(resume(paused(delay, { idle: suspended })).state.idle).toStrictEqual(suspended)
  })

  test.each([
    [{ type: 'interrupt' }, { outcome: 'interrupted' }],
    [
      { type: 'terminate', signal: 'SIGHUP' },
      { outcome: 'terminated', signal: 'SIGHUP' },
    ],
  ])('%j ends the loop', (what, stop) => {
    expect(step(paused(delay), input(what)).effects.at(-1)).toStrictEqual({ do: 'stop', stop })
  })

  test('goes on, whatever else comes', () => {
    const state = paused(delay)
    for (const type of ['time', 'pause', 'begin'])
      expect(step(state, input({ type }))).toStrictEqual({ state, effects: [] })
  })
})
