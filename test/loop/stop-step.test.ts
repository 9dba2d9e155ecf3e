import { describe, expect, test } from 'vitest'
import { stopped } from '../../src/loop/step/end-step.ts'
import { idleDefaults } from '../../src/loop/step/idle-backoff.ts'
import type { Input, LoopEffect, LoopState, Plan, Stop } from '../../src/loop/step/loop-state.ts'
import { newLoop, step } from '../../src/loop/step/loop-step.ts'

const plan: Plan = {
  ralph: 'work',
  agent: ['agent'],
  commandCount: 0,
  warnings: [],
  stopOnError: true,
  delay: 0,
  idle: { ...idleDefaults, max: 3_600_000 },
}
const loop: LoopState = { ...newLoop(plan), iteration: 3, startedAt: 500 }

describe('the end of a loop is said in a sentence', () => {
  const because = { reason: 'all is green' }
  test.each<[Stop, string]>([
    [{ outcome: 'done' }, 'the agent reports that the work is done'],
    [{ outcome: 'done', ...because }, 'the agent reports that the work is done: all is green'],
    [{ outcome: 'max_iterations' }, 'all 3 iterations are over'],
    [{ outcome: 'idle_max' }, 'there was nothing to do for 1 h, the most that idle.max allows'],
    [{ outcome: 'blocked' }, 'the agent needs a person'],
    [{ outcome: 'blocked', ...because }, 'the agent needs a person: all is green'],
    [{ outcome: 'failed' }, 'iteration 3 failed, and --stop-on-error is set'],
    [{ outcome: 'timed_out' }, 'iteration 3 took too long, and --stop-on-error is set'],
    [{ outcome: 'limited' }, 'iteration 3 ran into the provider’s limit, and --stop-on-error is set'],
    [{ outcome: 'interrupted' }, 'stopped by Ctrl+C'],
    [{ outcome: 'terminated' }, 'stopped'],
    [{ outcome: 'terminated', signal: 'SIGHUP' }, 'stopped by SIGHUP'],
  ])('%j: %s', (stop, message) => {
    const { state, effects } = stopped(loop, stop, 9000)
    const { signal } = stop
    expect(state).toEqual({ ...loop, phase: { kind: 'stopped', outcome: stop.outcome } })
    expect(effects).toEqual([
      { do: 'no_timer' },
      {
        do: 'emit',
        event: {
          type: 'RUN_STOPPED',
          outcome: stop.outcome,
          message,
          ...(signal && { signal }),
          iterations: 3,
          tally: loop.tally,
          duration: 8500,
        },
      },
      { do: 'stop', stop },
    ])
  })

  test('of one iteration, and without a rule for idleness', () => {
    const message = (state: LoopState, outcome: Stop['outcome']) =>
      stopped(state, { outcome }, 0).effects.flatMap(effect =>
        effect.do === 'emit' && effect.event.type === 'RUN_STOPPED' ? [effect.event.message] : [],
      )
    expect(message({ ...loop, iteration: 1 }, 'max_iterations')).toEqual(['the one iteration is over'])
    const { idle: _, ...without } = plan
    expect(message({ ...loop, plan: without }, 'idle_max')).toEqual([
      'there was nothing to do for 0.0 s, the most that idle.max allows',
    ])
  })
})

describe('in an iteration', () => {
  const at = (now: number, input: object): Input => ({ now, wall: now, ...input }) as Input
  const iterating: LoopState = { ...loop, phase: { kind: 'iterating', from: 1000, agentAt: 2000 } }
  const effectsOf = (state: LoopState, input: Input): readonly LoopEffect[] => step(state, input).effects
  const told = (state: object, facts: object): Input => at(3000, { type: 'agent_state', state, facts })
  const working = { kind: 'working', doing: 'tool' } as const
  const waiting = { kind: 'waiting', for: 'permission' } as const
  const activity = (state: object, more: object = {}) => ({
    do: 'emit',
    event: { type: 'AGENT_ACTIVITY', iteration: 3, state, ...more },
  })

  test('what the agent does is told', () => {
    expect(effectsOf(iterating, told(working, { tool: 'Bash' }))).toEqual([
      activity(working, { tool: 'Bash' }),
    ])
    expect(effectsOf(iterating, told(working, {}))).toEqual([activity(working)])
  })

  test('that it waits for a person is told, with what it asks', () => {
    const blocked = { type: 'BLOCKED', iteration: 3, by: 'agent', for: 'permission' }
    expect(effectsOf(iterating, told(waiting, { question: 'May I?' }))).toEqual([
      activity(waiting),
      { do: 'emit', event: { ...blocked, reason: 'May I?' } },
    ])
    expect(effectsOf(iterating, told(waiting, {}))).toEqual([
      activity(waiting),
      { do: 'emit', event: blocked },
    ])
  })

  test('a time that is not over is waited for', () => {
    const limited = { ...iterating, plan: { ...plan, timeout: 5000 } }
    expect(effectsOf(limited, at(6999, { type: 'time' }))).toEqual([{ do: 'timer', at: 7000 }])
    expect(effectsOf(limited, at(7000, { type: 'time' }))).toContainEqual({ do: 'end', how: 'soft' })
    expect(effectsOf(iterating, at(7000, { type: 'time' }))).toEqual([])
    const preparing: LoopState = { ...limited, phase: { kind: 'iterating', from: 1000 } }
    expect(effectsOf(preparing, at(90_000, { type: 'time' }))).toEqual([])
  })

  test('who does not end in time is ended hard, and once', () => {
    const ending = (isHard: boolean): LoopState => ({
      ...loop,
      phase: { kind: 'iterating', from: 1000, agentAt: 2000, ending: { why: 'stop', at: 3000, isHard } },
    })
    const [first] = effectsOf(ending(false), at(3001, { type: 'time' }))
    if (first?.do !== 'timer') throw new Error('no timer was set')
    expect(first.at).toBeGreaterThan(3000)
    expect(effectsOf(ending(false), at(first.at - 1, { type: 'time' }))).toEqual([first])
    expect(effectsOf(ending(false), at(first.at, { type: 'time' }))).toContainEqual({
      do: 'end',
      how: 'hard',
    })
    expect(effectsOf(ending(true), at(first.at + 1, { type: 'time' }))).not.toContainEqual({
      do: 'end',
      how: 'hard',
    })
  })

  test('what does not belong to it changes nothing', () => {
    expect(step(iterating, at(3000, { type: 'begin' }))).toEqual({ state: iterating, effects: [] })
    expect(step(newLoop(plan), at(3000, { type: 'time' }))).toEqual({ state: newLoop(plan), effects: [] })
    const over: LoopState = { ...loop, phase: { kind: 'stopped', outcome: 'done' } }
    expect(step(over, at(3000, { type: 'begin' }))).toEqual({ state: over, effects: [] })
  })

  test('it begins with what it is told of, and counts from then', () => {
    const begin = (more: Partial<Plan>) => step(newLoop({ ...plan, ...more }), at(700, { type: 'begin' }))
    const started = { type: 'RUN_STARTED', ralph: 'work', agent: ['agent'] }
    expect(begin({}).effects).toEqual([
      { do: 'emit', event: started },
      { do: 'no_timer' },
      { do: 'emit', event: { type: 'ITERATION_STARTED', iteration: 1 } },
      { do: 'prepare', iteration: 1 },
    ])
    expect(begin({}).state).toMatchObject({
      startedAt: 700,
      iteration: 1,
      phase: { kind: 'iterating', from: 700 },
    })
    expect(begin({ maxIterations: 2, warnings: ['odd'], commandCount: 2 }).effects).toEqual([
      { do: 'emit', event: { ...started, maxIterations: 2 } },
      { do: 'emit', event: { type: 'LOG_MESSAGE', level: 'warning', message: 'odd' } },
      { do: 'no_timer' },
      { do: 'emit', event: { type: 'ITERATION_STARTED', iteration: 1 } },
      { do: 'emit', event: { type: 'COMMANDS_STARTED', iteration: 1, count: 2 } },
      { do: 'prepare', iteration: 1 },
    ])
  })
})
