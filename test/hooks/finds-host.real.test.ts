/** A hook finds the host that runs, whatever the agent's environment says of the runtime folder, and nobody else's. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { forwarderText } from '../../src/hooks/forwarder.ts'
import { hookCommand } from '../../src/hooks/hook-command.ts'
import { moduleText } from '../../src/hooks/hook-module.ts'
import { hostStatus } from '../../src/host/host-client.ts'
import { acquireLock } from '../../src/os/file/lock.ts'
import { lull, temporaryFolder } from '../support/lull.ts'
import { giveAway, needsOtherUser } from '../support/other-user.ts'
import { until } from '../support/until.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

type Home = {
  readonly home: string
  /** The runtime folder of whoever installed the hooks. */
  readonly installed: string
  readonly notes: string
}

function newHome(): Home {
  const home = temporaryFolder()
  const installed = path.join(home, 'installed')
  const notes = path.join(home, '.local/state/lull/hosts')
  for (const folder of [installed, notes]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { home, installed, notes }
}

/** Something that listens in a runtime folder, as a host of this process' would, or as one that has died has left it. */
async function host(folder: string, isAlive: 'alive' | 'dead' = 'alive'): Promise<string[]> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const heard: string[] = []
  const server = http.createServer(async (request, response) => {
    heard.push(Buffer.concat(await request.toArray()).toString())
    response.writeHead(204).end()
  })
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>(resolve => server.listen(path.join(folder, 'host.sock'), resolve))
  const lock = path.join(folder, 'host.lock')
  if (isAlive === 'alive') acquireLock(lock)
  // Its number is another process' by now.
  else writeFileSync(lock, `{"pid":${process.pid},"start":"1","id":"x"}\n`)
  return heard
}

const note = ({ notes }: Home, pid: number, runtime: string) =>
  writeFileSync(path.join(notes, String(pid)), `${runtime}\n`)

const payload = '{"hook_event_name":"Stop"}'

type Env = Readonly<Record<string, string>>

function run(words: readonly string[], cwd: string, env: Env): Promise<void> {
  const [program = '', ...rest] = words
  const child = spawn(program, rest, { cwd, env: { PATH: process.env.PATH ?? '', ...env } })
  child.stdin.end(payload)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', piece => (printed += piece))
  return new Promise((resolve, reject) =>
    child.on('close', code => (code === 0 && printed === '' ? resolve() : reject(new Error(printed)))),
  )
}

/** As an agent reports: by the forwarder, or by a module of lull's that it has loaded. */
const ways = {
  forwarder: async ({ home, installed, notes }: Home, env: Env) => {
    const forwarder = path.join(home, 'hook')
    writeFileSync(forwarder, forwarderText({ socket: path.join(installed, 'host.sock'), notes }), {
      mode: 0o755,
    })
    await run(['/bin/sh', '-c', hookCommand(forwarder, 'claude')], home, env)
  },
  module: async ({ home, installed, notes }: Home, env: Env) => {
    const file = path.join(home, 'plugin.mjs')
    const use = "\nawait (await Lull())['chat.message']({ sessionID: 'it' })\n"
    const text = moduleText(agents.opencode, { socket: path.join(installed, 'host.sock'), notes, events: [] })
    writeFileSync(file, text + use)
    await run([process.execPath, file], home, env)
  },
} as const

describe.each(Object.entries(ways))('the %s', (_, report) => {
  test('finds a host that was started with LULL_RUNTIME_DIR, by its note', async () => {
    const there = newHome()
    const heard = await host(path.join(there.home, "it's elsewhere"))
    note(there, process.pid, path.join(there.home, "it's elsewhere"))
    await report(there, { HOME: there.home })
    // Also started by cron, with nothing that says where it is at home.
    await report(there, {})
    expect(heard).toHaveLength(2)
  })

  test('passes over what dead hosts left behind, in its environment and where it was installed', async () => {
    const there = newHome()
    const named = path.join(there.home, 'named')
    const dead = [await host(named, 'dead'), await host(there.installed, 'dead')]
    const heard = await host(path.join(there.home, 'elsewhere'))
    note(there, 1, path.join(there.home, 'gone'))
    note(there, 2, path.join(there.home, 'elsewhere'))
    await report(there, { HOME: there.home, LULL_RUNTIME_DIR: named, XDG_RUNTIME_DIR: '/no/such' })
    expect(heard).toHaveLength(1)
    expect(dead).toEqual([[], []])
  })

  test('goes where its environment says while a host lives there, and else where it was installed', async () => {
    const there = newHome()
    const heard = {
      named: await host(path.join(there.home, 'named')),
      installed: await host(there.installed),
      noted: await host(path.join(there.home, 'noted')),
    }
    note(there, process.pid, path.join(there.home, 'noted'))
    await report(there, { HOME: there.home, LULL_RUNTIME_DIR: path.join(there.home, 'named') })
    expect([heard.named.length, heard.installed.length, heard.noted.length]).toEqual([1, 0, 0])
    await report(there, { HOME: there.home, LULL_RUNTIME_DIR: path.join(there.home, 'gone') })
    expect([heard.named.length, heard.installed.length, heard.noted.length]).toEqual([1, 1, 0])
  })

  test('tries one whose process it can’t see, where no other lives: it may run outside of this container', async () => {
    const there = newHome()
    const heard = await host(there.installed, 'dead')
    await report(there, { HOME: there.home })
    expect(heard).toHaveLength(1)
  })

  test('notes are where to look, and no more: a pipe, a folder, a relative path, another’s socket', async context => {
    needsOtherUser(context)
    const there = newHome()
    const theirs = path.join(there.home, 'theirs')
    const socketOfTheirs = path.join(there.home, 'socket-of-theirs')
    const heard = [
      await host(theirs),
      await host(socketOfTheirs),
      await host(path.join(there.home, 'relative')),
    ]
    giveAway(theirs)
    giveAway(path.join(socketOfTheirs, 'host.sock'))
    execFileSync('mkfifo', [path.join(there.notes, '1')])
    mkdirSync(path.join(there.notes, '2'))
    note(there, 3, theirs)
    note(there, 4, socketOfTheirs)
    note(there, 5, 'relative')
    writeFileSync(path.join(there.notes, '6'), '')
    await report(there, { HOME: there.home })
    expect(heard).toEqual([[], [], []])
  })
})

test('a real host notes where it is, and takes that back', async () => {
  const there = newHome()
  const runtime = path.join(there.home, 'mine')
  const env = { HOME: there.home, XDG_STATE_HOME: '', XDG_RUNTIME_DIR: '', XDG_DATA_HOME: '' }
  expect(await lull(['hooks', 'install', 'claude'], [], { ...env, LULL_RUNTIME_DIR: '' })).toMatchObject({
    code: 0,
  })
  const started = { ...env, LULL_RUNTIME_DIR: runtime }
  expect(await lull(['host', 'start'], [], started)).toMatchObject({ code: 0 })
  open.push(() => lull(['host', 'stop'], [], started))
  const forwarder = path.join(there.home, '.local/share/lull/hook')
  const hook = () =>
    run(['/bin/sh', '-c', hookCommand(forwarder, 'claude')], there.home, { HOME: there.home })
  await hook()
  const socket = path.join(runtime, 'host.sock')
  await until(
    async () => (await hostStatus(socket)).hooks.received,
    received => received === 1,
    'the hook',
  )
  await lull(['host', 'stop'], [], started)
  expect(execFileSync('ls', [there.notes], { encoding: 'utf8' })).toBe('')
})
