/** What is closed does nothing more: it refuses with a sentence. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/index.ts'
import { answerTo } from '../support/answer-to.ts'
import { temporaryFolder } from '../support/lull.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'

describe('a closed connection', () => {
  const says = (call: string) => `CLOSED ${call}: this connection was closed: connect() opens another one`

  test('answers nothing more', async () => {
    const lull = await connect({ own: true })
    await lull.close()
    const calls: Readonly<Record<string, () => unknown>> = {
      via: () => lull.via(),
      sessions: () => lull.sessions(),
      find: () => lull.find('api'),
      changes: () => lull.changes().next(),
      events: () => lull.events('api', 0),
      waitFor: () => lull.waitFor('api'),
      explain: () => lull.explain('api'),
      terminal: () => lull.terminal(),
      diagnose: () => lull.diagnose(process.pid),
      run: () => lull.run(['true']),
      loop: () => lull.loop(),
      markSeen: () => lull.markSeen(['x']),
    }
    for (const [name, call] of Object.entries(calls)) expect(await answerTo(call)).toBe(says(name))
  })

  test('may be closed again', async () => {
    const lull = await connect({ own: true })
    await lull.close()
    await lull.close()
  })
})

test('a run that was closed is sent no signal', async () => {
  await using lull = await connect({ own: true })
  const run = await lull.run(['sleep', '100'])
  await run[Symbol.asyncDispose]()
  expect(await answerTo(() => run.kill('SIGTERM'))).toBe(
    'CLOSED kill: this run was closed: its command has ended',
  )
  expect(run.look()).toBeUndefined()
})

test('a loop that was closed takes no orders', async () => {
  const cwd = temporaryFolder()
  writeFileSync(path.join(cwd, 'RALPH.md'), '---\nagent: sleep 100\n---\nfix one test\n')
  await using lull = await connect({ own: true })
  const loop = await lull.loop({ cwd })
  await loop.next()
  await loop[Symbol.asyncDispose]()
  for (const call of ['pause', 'resume', 'interrupt', 'terminate'] as const)
    expect(await answerTo(() => loop[call]())).toBe(`CLOSED ${call}: this loop was closed: begin another one`)
})

describe.runIf(hasProgram('tmux') && hasProgram('bash'))('a terminal', () => {
  const server = tmuxServer()

  test('that was closed types nothing, and tells nothing', async () => {
    const terminal = await server.terminal(...bash)
    await terminal.waitReady()
    await terminal.close()
    const calls: Readonly<Record<string, () => unknown>> = {
      observe: () => terminal.observe(),
      settle: () => terminal.settle(),
      agent: () => terminal.agent(),
      send: () => terminal.send('echo typed'),
      keys: () => terminal.keys(['x']),
      read: () => terminal.read(),
      waitReady: () => terminal.waitReady(),
    }
    for (const [name, call] of Object.entries(calls))
      expect(await answerTo(call)).toBe(`CLOSED ${name}: this terminal was closed: open it again`)
    expect(server.screen(terminal.pane.id).trim()).toBe('$')
  })

  test.each([
    ['send', [5], 'send: text must be a text or a Buffer, not 5'],
    [
      'send',
      ['x', { wait: { timeout: '1s' } }],
      'send: wait.timeout must be a number of ms, 0 or more, not "1s"',
    ],
    ['send', ['x', { enter: 'no' }], 'send: enter must be true or false, not "no"'],
    ['keys', ['C-c'], 'keys: names must be a list, not "C-c"'],
    ['read', [{ lines: '5' }], 'read: lines must be a whole number, 0 or more, not "5"'],
    ['settle', ['1s'], 'settle: patience must be a number of ms, 0 or more, not "1s"'],
    [
      'waitReady',
      [{ for: ['ready'] }],
      'waitReady: for[0] must be a goal, like { type: \'ready\' }: readGoals reads it from a text, not "ready"',
    ],
    ['waitReady', [{ for: [] }], 'waitReady: for must be a list that is not empty, not an empty list'],
    ['waitReady', [{ timeout: '1s' }], 'waitReady: timeout must be a number of ms, 0 or more, not "1s"'],
    ['waitReady', [{ promptPattern: '>' }], 'waitReady: promptPattern must be a RegExp, not ">"'],
  ] as const)('refuses what is wrong in %s, and types nothing (%j)', async (method, given, said) => {
    const terminal = await server.terminal(...bash)
    await terminal.waitReady()
    const call = terminal[method] as (...given: readonly unknown[]) => unknown
    expect(await answerTo(() => call(...given))).toBe(`USAGE ${said}`)
    expect(server.screen(terminal.pane.id).trim()).toBe('$')
  })
})

test('what a connection has started ends with it, though nobody reads it', async () => {
  const cwd = temporaryFolder()
  writeFileSync(path.join(cwd, 'RALPH.md'), '---\nagent: sleep 100\n---\nfix one test\n')
  const lull = await connect({ own: true })
  const run = await lull.run(['sleep', '100'])
  const loop = await lull.loop({ cwd })
  await run.started
  await lull.close()
  expect(await run.ended).toMatchObject({ signal: 'SIGTERM' })
  expect(await loop.outcome).toMatchObject({ outcome: expect.any(String) })
})
