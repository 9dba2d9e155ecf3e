import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LullError } from '../../src/core/lull-error.ts'
import type { StepAct } from '../../src/respawn/plan/plan.ts'
import { temporaryFile } from '../support/lull.ts'
import { respawnOn } from '../support/respawn-runner.ts'
import { hook, play } from '../support/scenario.ts'
import { until } from '../support/until.ts'

const prompt = hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'do it' })
const stop = hook(9, 'Stop', { prompt_id: 'p1', background_tasks: [], last_assistant_message: 'Done.' })
const next = hook(13, 'UserPromptSubmit', { prompt_id: 'p2', prompt: 'go on' })
const idle = play('claude', [prompt, stop], { until: 9 }).session
const working = play('claude', [prompt, stop, next], { until: 13 }).session

async function idleSince9() {
  const run = respawnOn(idle)
  run.clock.advance(9000)
  await run.begin()
  return run
}

test('an agent that begins to work while its step is typed gets no Enter', async () => {
  const run = await idleSince9()
  run.typing.ms = [0, 500]
  await run.advance(3100)
  expect(run.typed).toEqual(['go on'])
  await run.sees(working)
  await run.advance(5000)
  expect(run.typed).toEqual(['go on'])
  expect(run.events.map(({ type }) => type)).toContain('refused')
})

test('a turn that somebody else began and ended while a step was typed is confirmed anew: no Enter into it', async () => {
  const ended = hook(13.2, 'Stop', { prompt_id: 'p2', background_tasks: [], last_assistant_message: 'Tea.' })
  const { session } = play('claude', [prompt, stop, next, ended], { until: 13.2 })
  const run = await idleSince9()
  run.typing.ms = [0, 1500]
  await run.advance(3100)
  await run.sees(working)
  await run.sees(session)
  await run.advance(1500)
  expect(run.typed).toEqual(['go on'])
  expect(run.events).toContainEqual(
    expect.objectContaining({ type: 'refused', why: expect.stringContaining('something went on there') }),
  )
})

test('of what may have been typed, and nobody knows, nothing is typed a second time', async () => {
  const run = await idleSince9()
  run.typing.breaks = new LullError('NO_ANSWER', 'tmux does not answer: whether it was typed is not known')
  await run.advance(3100)
  expect(run.typed).toEqual(['go on', '\r'])
  await run.sees(working)
  await run.advance(120_000)
  expect(run.typed).toEqual(['go on', '\r'])
  expect(run.events.map(({ type }) => type)).not.toContain('failed')
})

test('stop, pause and skip: nothing is typed after them, however what is awaited interleaves', () =>
  fc.assert(
    fc.asyncProperty(
      fc.tuple(fc.nat(800), fc.nat(800)),
      fc.integer({ min: 0, max: 5000 }),
      fc.constantFrom('stop', 'pause', 'skip'),
      async (ms, at, what) => {
        const run = await idleSince9()
        run.typing.ms = ms
        await run.advance(at, 17)
        run.runner.control(what)
        const before = [...run.typed]
        await run.advance(60_000, 17)
        // The step behind one that was skipped is typed from its beginning: the next key is no Enter.
        if (what === 'skip') expect(run.typed[before.length]).not.toBe('\r')
        else expect(run.typed).toEqual(before)
        if (what === 'stop') expect(run.runner.state().phase).toBe('stopped')
      },
    ),
    { numRuns: 150 },
  ))

test('a person at the terminal: nothing is typed, and a minute after their last key it goes on', async () => {
  let at: number | undefined
  const run = respawnOn(idle, { timers: { person: 60_000 } }, { personAt: async () => at })
  run.clock.advance(9000)
  await run.begin()
  at = run.clock.wall()
  await run.advance(59_000)
  expect(run.typed).toEqual([])
  expect(run.status().phase).toBe('paused')
  await run.advance(10_000)
  expect(run.typed).toEqual(['go on', '\r'])
})

test('a dry run tells, and types nothing', async () => {
  const run = respawnOn(idle, {}, { isDry: true })
  run.clock.advance(9000)
  await run.begin()
  await run.advance(10_000)
  expect(run.typed).toEqual([])
  expect(run.events).toContainEqual(expect.objectContaining({ type: 'would_send', text: 'go on' }))
})

test('conditions: what is not known does not hold; `until` ends it before anything is typed', async () => {
  const of = async (more: object) => {
    const run = respawnOn(idle, { steps: [{ act: { do: 'prompt', text: 'go on' }, ...more }], ...more })
    run.clock.advance(9000)
    await run.begin()
    await run.advance(4000)
    return run
  }
  const passed = await of({ when: { kind: 'context', is: 'above', share: 0.5 } })
  expect(passed.typed).toEqual([])
  expect(passed.events.map(({ type }) => type)).toContain('passed')
  expect((await of({ unless: { kind: 'context', is: 'above', share: 0.5 } })).typed).toEqual(['go on', '\r'])
  expect((await of({ unless: { kind: 'exists', path: '/' } })).typed).toEqual([])
  const done = await of({ until: { kind: 'exists', path: '/' } })
  expect(done.runner.state()).toMatchObject({ stop: 'done' })
  expect(done.typed).toEqual([])
})

test.each(['command', 'prompt'] as const)(
  '/clear as a %s: not while something goes on beside',
  async kind => {
    const tasks = [
      { id: 'b1', type: 'shell', status: 'running', description: 'a server', command: 'npm start' },
    ]
    const beside = hook(9, 'Stop', {
      prompt_id: 'p1',
      background_tasks: tasks,
      last_assistant_message: 'Done.',
    })
    const { session } = play('claude', [prompt, beside], { until: 9 })
    const run = respawnOn(session, {
      ignoresBackground: true,
      steps: [{ act: { do: kind, text: '/clear' } }],
    })
    run.clock.advance(9000)
    await run.begin()
    await run.advance(4000)
    expect(run.typed).toEqual([])
    expect(run.events).toContainEqual(
      expect.objectContaining({ type: 'refused', why: expect.stringContaining('still goes on') }),
    )
  },
)

test.each<[StepAct, readonly string[]]>([
  [{ do: 'prompt', text: 'go on' }, ['go on', '\r']],
  [{ do: 'command', text: '/clear' }, ['/clear', '\r']],
  [{ do: 'command', text: '/init' }, ['/init', '\r']],
  [{ do: 'command', text: '/compact' }, ['/compact', '\r']],
  [{ do: 'keys', keys: ['Escape', 'C-c'] }, ['Escape', 'C-c']],
  [{ do: 'file', path: temporaryFile('next.md', 'from a file\n') }, ['from a file', '\r']],
  [{ do: 'output', command: 'echo printed' }, ['printed', '\r']],
])('step %j', async (act, typed) => {
  const run = respawnOn(idle, { steps: [{ act }] })
  run.clock.advance(9000)
  await run.begin()
  await run.advance(3100)
  // What a file holds and a command prints comes when it comes.
  await until(
    async () => run.typed,
    ({ length }) => length >= typed.length,
  )
  expect(run.typed).toEqual(typed)
})

test('a terminal that has become a shell’s gets nothing, keys neither', async () => {
  for (const act of [
    { do: 'prompt', text: 'go on' },
    { do: 'keys', keys: ['Escape'] },
  ] as const) {
    const run = respawnOn(idle, { steps: [{ act }] })
    run.clock.advance(9000)
    await run.begin()
    run.leaves()
    await run.advance(3100)
    expect(run.typed).toEqual([])
    expect(run.events).toContainEqual(
      expect.objectContaining({ type: 'refused', why: 'no agent has the terminal now' }),
    )
  }
})

test('a session that is nowhere any more: it ends, and nothing is typed', async () => {
  const run = respawnOn(idle, {}, { sessions: async () => [] })
  run.clock.advance(9000)
  await run.begin()
  await run.advance(3100)
  expect(run.typed).toEqual([])
  expect(run.runner.state()).toMatchObject({ phase: 'stopped', stop: 'gone' })
})

test('calls of the judge stand in the status: made, and avoided', async () => {
  const run = respawnOn(idle, { hasJudge: true }, { judge: async () => undefined })
  run.clock.advance(9000)
  await run.begin()
  await run.advance(3100)
  expect(run.status().tally).toMatchObject({ judged: 0, judgeAvoided: 1 })
})
