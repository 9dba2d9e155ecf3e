/** Who listens in the runtime folder hears prompts and answers for sessions: it is this user's alone, or it is refused. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { forwarderText } from '../../src/hooks/forwarder.ts'
import { hookCommand } from '../../src/hooks/hook-command.ts'
import { moduleText } from '../../src/hooks/hook-module.ts'
import { lull, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { asStranger, giveAway, needsOtherUser } from '../support/other-user.ts'
import { startLull } from '../support/running.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

type Place = { readonly env: Record<string, string>; readonly home: string; readonly runtime: string }

const open: http.Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

function place(runtime = 'run'): Place {
  const home = temporaryFolder()
  const full = path.join(home, runtime)
  const env = {
    HOME: home,
    LULL_RUNTIME_DIR: full,
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_DATA_HOME: path.join(home, 'data'),
    XDG_RUNTIME_DIR: '',
  }
  return { env, home, runtime: full }
}

/** A host that answers whoever asks, as an attacker's does; it notes what it is asked for. */
async function fakeHost(folder: string): Promise<string[]> {
  const asked: string[] = []
  const server = http.createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url} ${Buffer.concat(await request.toArray())}`)
    const status = { pid: 1, version: '0.1.0', startedAt: 0, sessions: 0, hooks: { received: 0, refused: 0 } }
    response.end(JSON.stringify(request.url === '/v1/status' ? status : []))
  })
  open.push(server)
  await new Promise<void>(resolve => server.listen(path.join(folder, 'host.sock'), resolve))
  return asked
}

const payload = '{"hook_event_name":"UserPromptSubmit","prompt":"secret"}'

/** Runs the forwarder as an agent does. */
function forward({ home, runtime, env }: Place, how: 'installed' | 'told') {
  const forwarder = path.join(home, 'hook')
  const socket = path.join(how === 'installed' ? runtime : '/no/such', 'host.sock')
  writeFileSync(forwarder, forwarderText({ socket }), { mode: 0o755 })
  const { LULL_RUNTIME_DIR, ...rest } = env
  const own = how === 'told' ? { LULL_RUNTIME_DIR: LULL_RUNTIME_DIR as string } : {}
  const child = spawn('/bin/sh', ['-c', hookCommand(forwarder, 'claude')], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', ...rest, ...own },
  })
  child.stdin.end(payload)
  return endOf(child)
}

function endOf(child: ChildProcessWithoutNullStreams): Promise<{ code: number | null; printed: string }> {
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', piece => {
      printed += piece
    })
  }
  return new Promise(resolve => child.on('close', code => resolve({ code, printed })))
}

/** Reports once through OpenCode's plugin, in a process of its own that ends when all is sent. */
function reportByModule({ home, runtime, env }: Place) {
  const file = path.join(home, 'plugin.mjs')
  const { LULL_RUNTIME_DIR: _, ...rest } = env
  const socket = path.join(runtime, 'host.sock')
  const use = "\nawait (await Lull())['chat.message']({ sessionID: 'secret' })\n"
  writeFileSync(file, moduleText(agents.opencode, { socket, events: [] }) + use)
  return endOf(spawn(process.execPath, [file], { cwd: home, env: { PATH: process.env.PATH ?? '', ...rest } }))
}

const unnoticed = { code: 0, printed: '' }

/** A report is given up after two seconds: on a busy machine the next one is heard. */
async function isHeard(asked: readonly string[], report: () => Promise<object>): Promise<void> {
  const { length } = asked
  await until(
    async () => {
      expect(await report()).toEqual(unnoticed)
      return asked.length
    },
    now => now > length,
    'a report',
  )
}

/** Everything that talks to a host, or believes what lies in its folder. */
const commands = [
  ['ps', '--json'],
  ['wait', 'api', '--timeout', '5s'],
  ['explain', 'api'],
  ['host', 'status'],
  ['host', 'start'],
  ['host', 'run'],
  ['host', 'stop'],
  ['hooks', 'install', 'claude'],
  ['hooks', 'install', 'claude', '--dry-run'],
] as const

/** One sentence on stderr, nothing on stdout, exit 1. A wait ends its process, and a host that is not refused runs on. */
async function isRefused(args: readonly string[], env: Record<string, string>, said: string): Promise<void> {
  const stderr = expect.stringMatching(new RegExp(`^lull: [^\n]*${said}[^\n]*\n$`))
  const isOwn = args[0] === 'wait' || args[1] === 'run'
  const run = isOwn ? lullHere(args, env) : lullHere(args, env)
  expect([args, await run]).toEqual([args, { code: 1, stdout: '', stderr }])
}

type Case = { readonly what: string; readonly said: string; readonly other?: true; set(place: Place): string }

/** Each leaves a folder at `runtime` in which a host can listen; `set` tells where that one really is. */
const cases: readonly Case[] = [
  {
    what: 'is open to others',
    said: 'others may write in .*/run \\(0777\\): see what is in it, then chmod 700 it; LULL_RUNTIME_DIR can name another folder',
    set: ({ runtime }) => {
      mkdirSync(runtime)
      chmodSync(runtime, 0o777)
      return runtime
    },
  },
  {
    what: 'is one that all share',
    said: 'others may write in .*/run \\(1777\\): it is shared; LULL_RUNTIME_DIR can name another folder',
    set: ({ runtime }) => {
      mkdirSync(runtime)
      chmodSync(runtime, 0o1777)
      return runtime
    },
  },
  {
    what: 'lies in a folder that is open to others',
    said: 'others may write in .* \\(0777\\)',
    set: ({ runtime, home }) => {
      mkdirSync(runtime, { mode: 0o700 })
      chmodSync(home, 0o777)
      return runtime
    },
  },
  {
    what: 'is a link',
    said: 'is a link',
    set: ({ runtime }) => {
      const real = temporaryFolder()
      symlinkSync(real, runtime)
      return real
    },
  },
  {
    what: 'is another user’s',
    said: 'belongs to another user \\(12345\\)',
    other: true,
    set: ({ runtime }) => {
      mkdirSync(runtime, { mode: 0o700 })
      giveAway(runtime)
      return runtime
    },
  },
  {
    what: 'lies in a folder of another user',
    said: 'belongs to another user \\(12345\\)',
    other: true,
    set: ({ runtime, home }) => {
      mkdirSync(runtime, { mode: 0o700 })
      giveAway(home)
      return runtime
    },
  },
]

describe.each(cases)('a runtime folder that $what', ({ said, other, set }) => {
  test('is refused with a sentence, and nobody in it is asked', async context => {
    if (other) needsOtherUser(context)
    const there = place()
    const asked = await fakeHost(set(there))
    await isRefused(['ps'], there.env, said)
    await isRefused(['host', 'run'], there.env, said)
    expect(asked).toEqual([])
  })

  test('hears no hook, and the agent notices nothing', async context => {
    if (other) needsOtherUser(context)
    const there = place()
    const asked = await fakeHost(set(there))
    expect(await forward(there, 'installed')).toEqual(unnoticed)
    expect(await forward(there, 'told')).toEqual(unnoticed)
    expect(await reportByModule(there)).toEqual(unnoticed)
    expect(asked).toEqual([])
  })
})

describe('a runtime folder of this user alone', () => {
  test('hears hooks: so the others would have', async () => {
    const there = place()
    mkdirSync(there.runtime, { mode: 0o700 })
    const asked = await fakeHost(there.runtime)
    await isHeard(asked, () => forward(there, 'installed'))
    await isHeard(asked, () => forward(there, 'told'))
    await isHeard(asked, () => reportByModule(there))
    // That it is none of lull's tells its answer, not its folder.
    const { length } = asked
    expect((await lullHere(['host', 'status'], there.env)).stdout).toContain('is no host of lull’s')
    expect(asked).toHaveLength(length + 1)
  })

  test('may lie in one that is sticky, below links, and in one that a group of its own may write', async () => {
    const there = place('sticky/link/group/run')
    const real = temporaryFolder()
    mkdirSync(path.join(there.home, 'sticky'))
    chmodSync(path.join(there.home, 'sticky'), 0o1777)
    symlinkSync(path.relative(path.join(there.home, 'sticky'), real), path.join(there.home, 'sticky/link'))
    const [uid, gid] = [process.getuid?.(), process.getgid?.()]
    mkdirSync(path.join(real, 'group'))
    if (uid === gid) chmodSync(path.join(real, 'group'), 0o775)
    mkdirSync(path.join(real, 'group/run'), { mode: 0o700 })
    const asked = await fakeHost(path.join(real, 'group/run'))
    await isHeard(asked, () => forward(there, 'installed'))
    await isHeard(asked, () => reportByModule(there))
    const { length } = asked
    expect((await lullHere(['host', 'status'], there.env)).stdout).toContain('is no host of lull’s')
    expect(asked).toHaveLength(length + 1)
  })
})

describe('the place of a host', () => {
  test('is no relative one, which would be another in each folder', async () => {
    const there = place()
    const env = { ...there.env, LULL_RUNTIME_DIR: 'rel' }
    for (const args of commands) await isRefused(args, env, 'rel is a relative path')
    expect(existsSync('rel')).toBe(false)
    mkdirSync(path.join(there.home, 'rel'), { mode: 0o700 })
    const asked = await fakeHost(path.join(there.home, 'rel'))
    expect(await forward({ ...there, env }, 'told')).toEqual(unnoticed)
    expect(asked).toEqual([])
  })

  test.runIf(hasProgram('tmux') && hasProgram('bash'))(
    'is refused alike where text or keys are typed, which are not; to read does without',
    async () => {
      const server = tmuxServer()
      const id = server.start(...bash)
      await until(
        () => server.screen(id),
        screen => screen.startsWith('$'),
      )
      const pane = `tmux:${id}`
      const env = { ...place().env, LULL_RUNTIME_DIR: 'rel' }
      const at = ['--socket', server.socket]
      const said = 'rel is a relative path: give it from / on; LULL_RUNTIME_DIR can name another folder'
      await isRefused(['send', pane, 'echo typed', ...at], env, said)
      await isRefused(['keys', pane, 'x', ...at], env, said)
      expect(await lullHere(['read', pane, ...at], env)).toMatchObject({ code: 0, stderr: '', stdout: '$\n' })
    },
  )

  test('that is refused keeps no command from running; that nobody sees it is said', async () => {
    const env = { ...place().env, LULL_RUNTIME_DIR: 'rel' }
    const { code, stderr } = await lull(['run', '--', 'sleep', '1'], [], env)
    expect(code).toBe(0)
    expect(stderr).toContain(
      'lull: lull ps cannot list this run: rel is a relative path: give it from / on; ',
    )
  })

  test('is short enough for a socket, or that is said', async () => {
    const there = place('x'.repeat(100))
    for (const args of [
      ['host', 'start'],
      ['host', 'run'],
      ['hooks', 'install', 'claude'],
    ])
      await isRefused(args, there.env, 'too long for a socket \\(\\d+ bytes, at most \\d+\\)')
    for (const command of ['stop', 'status'])
      expect((await lullHere(['host', command], there.env)).stdout).toMatch(
        /^\S+ is too long for a socket \(\d+ bytes, at most \d+\): set LULL_RUNTIME_DIR to a shorter path\n$/,
      )
    expect(await lullHere(['ps', '--json'], there.env)).toMatchObject({ code: 0, stderr: '' })
  })

  test('where another user was first in a sticky folder: a real one, who answers', async context => {
    needsOtherUser(context)
    const there = place('tmp/lull')
    const above = path.dirname(there.runtime)
    mkdirSync(above)
    chmodSync(above, 0o1777)
    chmodSync(there.home, 0o755)
    chmodSync(path.dirname(there.home), 0o755)
    const stranger = asStranger(`
      const { mkdirSync, chmodSync } = require('node:fs')
      mkdirSync(${JSON.stringify(there.runtime)})
      chmodSync(${JSON.stringify(there.runtime)}, 0o777)
      const socket = ${JSON.stringify(path.join(there.runtime, 'host.sock'))}
      require('node:http').createServer((q, r) => { console.log(q.url); r.end('{}') }).listen(socket, () => {
        chmodSync(socket, 0o777)
        console.log('up')
      })
    `)
    await until(stranger.printed, text => text.includes('up'), 'the stranger’s host')
    expect(await forward(there, 'installed')).toEqual(unnoticed)
    expect(await reportByModule(there)).toEqual(unnoticed)
    await isRefused(['ps'], there.env, 'belongs to another user \\(12345\\)')
    expect(stranger.printed()).toBe('up\n')
  })
})

describe('the folder of the forwarder, which agents run', () => {
  const claude = ['hooks', 'install', 'claude']

  test('is made for this user alone, and nothing is installed where others may write in it', async () => {
    const there = place()
    const data = path.join(there.home, 'data/lull')
    expect(await lullHere([...claude, '--dry-run'], there.env)).toMatchObject({ code: 0 })
    expect(existsSync(data)).toBe(false)
    expect(await lullHere(claude, there.env)).toMatchObject({ code: 0 })
    expect(statSync(data).mode & 0o777).toBe(0o700)
    chmodSync(data, 0o777)
    const said = 'others may write in .*/data/lull \\(0777\\)'
    await isRefused(claude, there.env, said)
    await isRefused([...claude, '--dry-run'], there.env, said)
    expect(await lullHere(['hooks', 'doctor'], there.env)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(new RegExp(`✗ the forwarder’s folder: ${said}`)),
    })
  })

  test('nor where it is another user’s', async context => {
    needsOtherUser(context)
    const there = place()
    mkdirSync(path.join(there.home, 'data/lull'), { recursive: true, mode: 0o700 })
    giveAway(path.join(there.home, 'data'))
    await isRefused(claude, there.env, 'data belongs to another user \\(12345\\)')
    expect(existsSync(path.join(there.home, '.claude/settings.json'))).toBe(false)
  })
})

describe('what tells rather than refuses', () => {
  test('doctor and hooks doctor name the folder', async () => {
    const there = place()
    mkdirSync(there.runtime)
    chmodSync(there.runtime, 0o777)
    const general = await lullHere(['doctor'], there.env)
    expect(general).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/✗ a folder for sockets: others may write in/),
    })
    const hooks = await lullHere(['hooks', 'doctor'], there.env)
    expect(hooks).toMatchObject({
      code: 1,
      stderr: '',
      stdout: expect.stringMatching(/✗ others may write in/),
    })
  })

  test('a run goes on, and says that nobody is shown it', async () => {
    const there = place()
    mkdirSync(there.runtime)
    chmodSync(there.runtime, 0o777)
    const run = startLull(['run', '--', 'sleep', '1000'], there.env)
    await run.says('lull ps cannot list this run: others may write in')
    expect(run.isRunning()).toBe(true)
    run.kill('SIGTERM')
    await run.ended
    expect(existsSync(path.join(there.runtime, 'runs'))).toBe(false)
  })

  test('runs that others have published are not believed, and keep nobody from looking once they are gone', async context => {
    needsOtherUser(context)
    const there = place()
    mkdirSync(path.join(there.runtime, 'runs'), { recursive: true, mode: 0o700 })
    giveAway(path.join(there.runtime, 'runs'))
    await isRefused(['ps'], there.env, 'runs belongs to another user')
    renameSync(path.join(there.runtime, 'runs'), path.join(there.home, 'theirs'))
    expect(await lullHere(['ps', '--json'], there.env)).toMatchObject({ code: 0, stderr: '' })
  })
})
