/** A host that is stopped, cut off, of another version or none at all: it is told, and nothing that is asked of it hangs or lies. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { protocol } from '../../src/host/messages.ts'
import { falseHost, greets } from '../support/false-host.ts'
import { lull } from '../support/lull.ts'
import { lullHere, rowsHere } from '../support/lull-here.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

type Env = Record<string, string>

const runtimeOf = (env: Env): string => env.LULL_RUNTIME_DIR as string

const hosts: number[] = []
afterEach(() => {
  for (const pid of hosts.splice(0)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
  }
})

async function startHost(env: Env): Promise<number> {
  const { stdout, code, stderr } = await lullHere(['host', 'start', '--json'], env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { pid } = JSON.parse(stdout) as { pid: number }
  hosts.push(pid)
  return pid
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const ends = (pid: number): Promise<boolean> =>
  until(
    () => isAlive(pid),
    alive => !alive,
    `the end of host ${pid}`,
  )

async function statusIn(env: Env): Promise<Record<string, unknown>> {
  const { stdout } = await lullHere(['host', 'status', '--json'], env)
  return JSON.parse(stdout) as Record<string, unknown>
}

const shownState = async (env: Env, pid: number): Promise<unknown> =>
  (await rowsHere(env)).find(row => row.pid === pid)?.state

const stamp = (ms = 0): string => new Date(Date.now() + ms).toISOString()
const transcript = '.claude/projects/-project/s.jsonl'
const asked = (cwd: string) => ({
  type: 'user',
  timestamp: stamp(),
  cwd,
  message: { role: 'user', content: 'go' },
})
const answered = () => ({
  type: 'assistant',
  timestamp: stamp(5),
  message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'done' }] },
})

function newRuntime(): Env {
  const env = ownPlaces()
  mkdirSync(runtimeOf(env), { recursive: true, mode: 0o700 })
  return env
}

describe.runIf(process.platform === 'linux')('a host that is stopped', () => {
  test('is told from none, keeps nobody waiting, and is gone back to', async () => {
    const env = ownPlaces()
    const agent = await startStandIn()
    agent.append(transcript, asked(agent.cwd))
    const host = await startHost(env)
    const waits = startLull(['wait', `pid:${agent.pid}`, '--next', '--timeout', '110s'], env)
    await waits.says('waiting for the next turn')
    process.kill(host, 'SIGSTOP')
    const [status, shown, seen, go, started] = await Promise.all([
      statusIn(env),
      lull(['ps', '--json'], [], env),
      lull(['seen', '--all'], [], env),
      lull(['go'], [], env),
      lull(['host', 'start'], [], env),
    ])
    expect(status).toMatchObject({ running: false, is: 'stopped', pid: host })
    expect(JSON.parse(shown.stdout)).toMatchObject({
      via: 'own',
      sessions: expect.arrayContaining([expect.objectContaining({ pid: agent.pid, state: 'working' })]),
    })
    // What only the host knows is missing there, which is said.
    for (const { stderr } of [seen, go]) expect(stderr).toContain(`(pid ${host}) is stopped`)
    expect(started).toMatchObject({ code: 1, stderr: expect.stringContaining(`kill -CONT ${host}`) })
    await waits.says('the host is gone; looking for myself from here on')
    // What the host had heard last was that it works, and so it is.
    expect(waits.stdout()).toBe('')
    process.kill(host, 'SIGCONT')
    await waits.says('the host answers again')
    agent.append(transcript, answered())
    await until(
      () => shownState(env, agent.pid),
      state => state === 'idle',
    )
    agent.append(transcript, asked(agent.cwd))
    agent.append(transcript, answered())
    expect(await waits.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Idle, the turn is finished'),
    })
  })

  test('does not keep a turn’s end from a wait', async () => {
    const env = ownPlaces()
    const agent = await startStandIn()
    agent.append(transcript, asked(agent.cwd))
    const host = await startHost(env)
    const waits = startLull(['wait', `pid:${agent.pid}`, '--timeout', '110s'], env)
    await until(
      () => shownState(env, agent.pid),
      state => state === 'working',
    )
    process.kill(host, 'SIGSTOP')
    agent.append(transcript, answered())
    expect(await waits.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Idle, the turn is finished'),
    })
  })

  test('is ended by `host stop`, and another can start', async () => {
    const env = ownPlaces()
    const host = await startHost(env)
    process.kill(host, 'SIGSTOP')
    expect(await lullHere(['host', 'stop'], env)).toMatchObject({ code: 0 })
    await ends(host)
    expect(await startHost(env)).not.toBe(host)
  })
})

function replaceSocket(folder: string): void {
  const socket = path.join(folder, 'host.sock')
  rmSync(socket)
  writeFileSync(socket, '')
}

describe.runIf(process.platform === 'linux')('a host whose socket is no longer its own', () => {
  test.each<readonly [string, (folder: string) => void]>([
    ['was replaced', replaceSocket],
    ['lay in a folder that was moved', folder => renameSync(folder, `${folder}-2`)],
  ])('ends itself: it %s', async (_, change) => {
    const env = ownPlaces()
    const host = startLull(['host', 'run'], env)
    await until(
      () => existsSync(path.join(runtimeOf(env), 'host.sock')),
      isThere => isThere,
    )
    change(runtimeOf(env))
    expect(await host.ended).toMatchObject({ code: 0 })
  })

  test('leaves the socket of the next one alone', async () => {
    const env = ownPlaces()
    const first = await startHost(env)
    rmSync(runtimeOf(env), { recursive: true })
    const second = await startHost(env)
    await ends(first)
    expect(await statusIn(env)).toMatchObject({ running: true, pid: second })
  })
})

/** Hooks, one after the other without a pause, until `stop`; what came of each. */
function hooksTo(folder: string) {
  const answers: (number | string)[] = []
  let isOver = false
  const post = (): Promise<number | string> =>
    new Promise(resolve => {
      const request = http.request(
        {
          socketPath: path.join(folder, 'host.sock'),
          path: '/hooks/claude?event=Stop',
          method: 'POST',
          agent: false,
        },
        response => response.resume().on('end', () => resolve(response.statusCode ?? 0)),
      )
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      request.end('{}')
    })
  const sending = (async () => {
    while (!isOver) answers.push(await post())
  })()
  return {
    answers,
    async stop() {
      isOver = true
      await sending
    },
  }
}

describe.runIf(process.platform === 'linux')('a host of another lull', () => {
  test.each([
    ['that tells no protocol', undefined],
    ['of an older one', protocol - 1],
  ])('%s is replaced, and no hook is lost', async (_, older) => {
    const env = newRuntime()
    const old = await falseHost(runtimeOf(env), greets(older))
    expect(await statusIn(env)).toMatchObject({ running: false, is: 'older', pid: old.pid })
    const hooks = hooksTo(runtimeOf(env))
    await until(old.taken, count => count > 0)
    const pid = await startHost(env)
    await until(old.hasEnded, ended => ended)
    const heard = async () => ((await statusIn(env)) as { hooks: { received: number } }).hooks.received
    await until(heard, count => count > 0)
    await hooks.stop()
    expect(new Set(hooks.answers)).toEqual(new Set([204]))
    expect(old.taken() + (await heard())).toBe(hooks.answers.length)
    expect(await statusIn(env)).toMatchObject({ running: true, pid })
  })

  test('that is newer is left alone: a sentence says what to do, and sessions are found without it', async () => {
    const env = newRuntime()
    const agent = await startStandIn()
    const newer = await falseHost(runtimeOf(env), `${greets(protocol + 1)}; response.end('?')`)
    expect(await lullHere(['host', 'start'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('of a newer lull (9.9.9), which this one does not understand: update'),
    })
    expect(await statusIn(env)).toMatchObject({ is: 'newer', pid: newer.pid })
    const waits = startLull(['wait', `pid:${agent.pid}`, '--for', 'exited'], env)
    await waits.says('update this lull; looking')
    await waits.says('waiting since')
    await agent.kill()
    expect(await waits.ended).toMatchObject({ code: 0 })
    expect(newer.hasEnded()).toBe(false)
  })
})
