/** What a program in plain JavaScript gives to the public doors, and should not: a sentence that says what is wrong, where, and what would be right. */
import { describe, expect, test } from 'vitest'
import { replay } from '../../src/agents.ts'
import { parseDuration } from '../../src/core.ts'
import { connect, type Lull } from '../../src/index.ts'
import { diagnose } from '../../src/process.ts'
import { openTerminal, readGoals } from '../../src/terminal.ts'
import { answerTo } from '../support/answer-to.ts'

/** A function as a program without types sees it. */
type Untyped = (...given: unknown[]) => unknown
const ralph = {
  agent: ['sh'],
  file: 'RALPH.md',
  folder: '.',
  name: 'x',
  body: 'x',
  credit: false,
  commands: [],
  args: [],
  warnings: [],
}
/** Its fields are functions that throw. */
const trap = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('trap')
    },
    get: () => {
      throw new Error('trap')
    },
  },
)

const untyped = (call: unknown) => call as Untyped

type Case = readonly [method: string, given: readonly unknown[], said: string]

const ofConnection: readonly Case[] = [
  ['sessions', ['api'], 'sessions: addresses must be a list, not "api"'],
  ['sessions', [undefined, { socket: 5 }], 'sessions: socket must be a text, not 5'],
  ['find', [5], 'find: session must be a text, not 5'],
  ['events', ['api', '1s'], 'events: from must be a number, not "1s"'],
  ['waitFor', [], 'waitFor: session must be a text, not undefined'],
  ['waitFor', [[]], 'waitFor: session must be a list that is not empty, not an empty list'],
  ['waitFor', ['api', 'idle'], 'waitFor: options must be an object, not "idle"'],
  ['waitFor', ['api', null], 'waitFor: options must be an object, not null'],
  ['waitFor', ['api', { timeout: '1s' }], 'waitFor: timeout must be a number of ms, 0 or more, not "1s"'],
  ['waitFor', ['api', { held: -1 }], 'waitFor: held must be a number of ms, 0 or more, not -1'],
  [
    'waitFor',
    ['api', { until: 'ready' }],
    'waitFor: until must be one of idle, settled, waiting, stuck, exited, not "ready"',
  ],
  [
    'waitFor',
    ['api', { until: ['idle', 5] }],
    'waitFor: until[1] must be one of idle, settled, waiting, stuck, exited, not 5',
  ],
  [
    'waitFor',
    ['api', { tiemout: 5 }],
    'waitFor: options has no "tiemout": there is until, timeout, signal, next, held, ignoreBackground, any, appear, onRegistered',
  ],
  ['explain', [{}], 'explain: session must be a text, not an object'],
  ['terminal', [5], 'terminal: address must be a text, not 5'],
  ['terminal', ['tmux:', { readOnly: 'yes' }], 'terminal: readOnly must be true or false, not "yes"'],
  ['diagnose', ['x'], 'diagnose: pid must be a whole number, 1 or more, not "x"'],
  ['run', ['true'], 'run: words must be a list, not "true"'],
  ['run', [['true', 5]], 'run: words[1] must be a text, not 5'],
  ['run', [['true'], { dwell: '1s' }], 'run: dwell must be a number of ms, 0 or more, not "1s"'],
  ['run', [['true'], { stdin: 'none' }], 'run: stdin must be one of null, open, inherit, not "none"'],
  [
    'run',
    [['true'], { onStuck: 'term' }],
    "run: onStuck must be { type: 'notify' }, { type: 'term' } or { type: 'exec', command }, not \"term\"",
  ],
  ['run', [['true'], { recordAs: { name: 5 } }], 'run: recordAs.name must be a text, not 5'],
  ['run', [['true'], { record: 4 }], 'run: record must be a text, not 4'],
  ['loop', [{ ralph: {} }], 'loop: ralph.file must be a text, not undefined'],
  ['loop', [{ ralph: new Date(0) }], 'loop: ralph.file must be a text, not undefined'],
  [
    'loop',
    [{ ralph: { ...ralph, agent: [] } }],
    'loop: ralph.agent must be a list that is not empty, not an empty list',
  ],
  ['loop', [{ ralph: { ...ralph, commands: [5] } }], 'loop: ralph.commands[0] must be a command, not 5'],
  ['loop', [{ ralph: 5 }], 'loop: ralph must be a text, or a RALPH.md that was read, not 5'],
  ['loop', [{ delay: '1s' }], 'loop: delay must be a number, not "1s"'],
  ['loop', [{ args: { a: 'b' } }], 'loop: args must be a Map, not an object'],
  ['markSeen', ['api'], 'markSeen: ids must be a list, not "api"'],
]

const others: readonly Case[] = [
  ['connect', [{ own: 'yes' }], 'connect: own must be true or false, not "yes"'],
  ['connect', [{ onNotice: 'x' }], 'connect: onNotice must be a function, not "x"'],
  ['openTerminal', [5], 'openTerminal: address must be a text, not 5'],
  [
    'openTerminal',
    ['tmux:', { sessions: [] }],
    'openTerminal: sessions must be a function, not an empty list',
  ],
  ['readGoals', [['ready']], 'readGoals: text must be a text, not a list'],
  ['diagnose', [0], 'diagnose: pid must be a whole number, 1 or more, not 0'],
  ['parseDuration', [5], 'parseDuration: text must be a text, not 5'],
  ['replay', ['{"version":3}'], 'replay: lines must be the lines of a trace, not "{\\"version\\":3}"'],
  ['replay', [[], { until: '1s' }], 'replay: until must be a number, not "1s"'],
]

const functions: Readonly<Record<string, unknown>> = {
  connect,
  openTerminal,
  readGoals,
  diagnose,
  parseDuration,
  // A generator begins with its first value.
  replay: (...given: Parameters<typeof replay>) => replay(...given).next(),
}

const wrong = (said: string): string => `USAGE ${said}`

describe('a wrong value is refused with a sentence', () => {
  test.each(ofConnection)('by %s of a connection (%j)', async (method, given, said) => {
    await using lull = await connect({ own: true })
    expect(await answerTo(() => untyped(lull[method as keyof Lull])(...given))).toBe(wrong(said))
  })

  test.each(others)('by %s (%j)', async (name, given, said) => {
    expect(await answerTo(() => untyped(functions[name])(...given))).toBe(wrong(said))
  })

  test('by fields that throw', async () => {
    await using lull = await connect({ own: true })
    for (const given of [trap, { ralph: trap }])
      expect(await answerTo(() => untyped(lull.loop)(given))).toBe(wrong("loop: options can't be read: trap"))
  })

  test('by the kill of a run, which goes on', async () => {
    await using lull = await connect({ own: true })
    await using run = await lull.run(['sleep', '100'])
    await run.started
    const said = 'kill: signal must be the name of a signal, like SIGTERM, not "STOP"'
    expect(await answerTo(() => untyped(run.kill)('STOP'))).toBe(wrong(said))
    run.kill('SIGKILL')
    expect(await run.ended).toMatchObject({ signal: 'SIGKILL' })
  })

  test('and what may be left out may be undefined', async () => {
    await using lull = await connect({ own: undefined } as object)
    await using run = await lull.run(['true'], { cwd: undefined, dwell: undefined } as object)
    expect(await run.ended).toMatchObject({ code: 0 })
  })
})
