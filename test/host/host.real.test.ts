/** The host as a process of its own: started on demand, asked over its socket, killed, started twice at once. */
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { longestLine } from '../../src/core/trace/trace.ts'
import { hostSessions, hostStatus } from '../../src/host/host-client.ts'
import { attempt } from '../../src/os/attempt.ts'
import { lull, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { startStandIn } from '../support/stand-in.ts'
import { kindOf, sessionOf, until } from '../support/until.ts'

type Place = { readonly env: Record<string, string>; readonly socket: string; readonly state: string }

const places: Place[] = []
afterAll(() => {
  for (const pid of places.flatMap(hostsOf)) attempt(() => process.kill(pid, 'SIGKILL'))
})

function place(): Place {
  const home = temporaryFolder()
  const runtime = path.join(home, 'run')
  const env = { HOME: home, LULL_RUNTIME_DIR: runtime, XDG_STATE_HOME: path.join(home, 'state') }
  const made = { env, socket: path.join(runtime, 'host.sock'), state: path.join(home, 'state/lull') }
  places.push(made)
  return made
}

/** The one that runs there, or a new one. */
async function startHost({ env }: Place, args: readonly string[] = []): Promise<number> {
  const { stdout, code, stderr } = await lullHere(['host', 'start', '--json', ...args], env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return (JSON.parse(stdout) as { pid: number }).pid
}

/** Processes that are, or are about to become, a host of this place. */
const hostsOf = ({ env }: Place): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter(pid => {
      const of = (file: string) => attempt(() => readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? ''
      return (
        pid > 0 &&
        of('cmdline').includes('\0host\0run\0') &&
        of('environ').includes(`LULL_RUNTIME_DIR=${env.LULL_RUNTIME_DIR}\0`)
      )
    })

type Row = { readonly id: string; readonly pid: number; readonly state: string; readonly since: string }

type Answer = { readonly status: number; readonly text: string }

function post(options: http.RequestOptions, body: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ method: 'POST', agent: false, ...options }, response => {
      let text = ''
      response.on('data', piece => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.runIf(process.platform === 'linux')('the host', () => {
  /** One for all tests that need nothing else there: a host that one leaves is the next one's. */
  const shared = place()

  test('is started on demand, tells of itself, and stops', async () => {
    const there = place()
    expect((await lullHere(['host', 'status'], there.env)).code).toBe(1)
    const pid = await startHost(there)
    expect(await startHost(there)).toBe(pid)
    const told = await lullHere(['host', 'status'], there.env)
    expect(told).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`pid ${pid}.*0 hooks received`)),
    })
    expect(statSync(there.socket).mode & 0o777).toBe(0o600)
    expect(statSync(path.dirname(there.socket)).mode & 0o777).toBe(0o700)
    expect((await lullHere(['host', 'stop'], there.env)).stdout).toContain('stopped the host')
    await until(
      () => isAlive(pid),
      alive => !alive,
    )
    expect(readFileSync(path.join(there.state, 'host.log'), 'utf8')).toContain('the host stops')
    expect((await lullHere(['host', 'stop'], there.env)).stdout).toContain('no host runs')
  })

  test('four that are started at once are one', async () => {
    const there = place()
    const all = Array.from({ length: 4 }, () => lull(['host', 'start', '--json'], [], there.env))
    const pids = (await Promise.all(all)).map(({ stdout }) => (JSON.parse(stdout) as { pid: number }).pid)
    expect(new Set(pids).size).toBe(1)
    // Those that come late find out, and end: one that is still to come would take the place of the first.
    await until(
      () => hostsOf(there),
      hosts => hosts.length === 1,
    )
    expect(hostsOf(there)).toEqual([pids[0]])
  })

  test('one that was killed leaves a socket and a lock in nobody’s way', async () => {
    const there = shared
    const pid = await startHost(there)
    process.kill(pid, 'SIGKILL')
    await until(
      () => isAlive(pid),
      alive => !alive,
    )
    expect((await lullHere(['host', 'status'], there.env)).code).toBe(1)
    expect((await lullHere(['demo', '--once', '--json'], there.env)).code).toBe(0)
    const next = await startHost(there)
    expect(next).not.toBe(pid)
    expect((await hostStatus(there.socket)).pid).toBe(next)
  })

  test('a folder of another kind where its socket belongs is named', async () => {
    const there = place()
    writeFileSync(path.join(there.env.HOME as string, 'run'), '')
    const told = await lullHere(['host', 'run'], there.env)
    expect(told.code).toBe(1)
    expect(told.stderr).toMatch(/^lull: .*run/)
    expect(told.stderr.split('\n')).toHaveLength(2)
  })

  test('its sessions are those that a command of its own sees, and its hooks besides', async () => {
    const there = shared
    await startHost(there)
    const agent = await startStandIn()
    const live = hostSessions(there.socket)
    const changes = await live.changes()
    expect((await changes.next()).value).toMatchObject({ type: 'snapshot' })
    const found = await sessionOf(live, agent.pid)
    const heard = { session_id: 's', prompt_id: 'p', prompt: 'go' }
    const sent = await post(
      {
        socketPath: there.socket,
        path: '/hooks/claude?event=UserPromptSubmit',
        headers: { 'lull-pid': agent.pid },
      },
      JSON.stringify(heard),
    )
    expect(sent).toEqual({ status: 204, text: '' })
    const working = await sessionOf(live, agent.pid, session => kindOf(session) === 'working')
    expect(working).toMatchObject({ id: found.id, hooks: 'heard' })
    const own = await lullHere(['explain', found.id, '--json'], {
      ...there.env,
      LULL_RUNTIME_DIR: temporaryFolder(),
    })
    expect(JSON.parse(own.stdout)).toMatchObject({ id: found.id, pid: agent.pid, cwd: agent.cwd })
    for await (const change of changes) {
      if (change.type === 'changed' && kindOf(change.session) === 'working') break
    }
    await live.close()
  })

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'that ends by %s and is started again knows what only a hook had told',
    async signal => {
      const there = shared
      const pid = await startHost(there)
      const agent = await startStandIn()
      const sent = await post(
        {
          socketPath: there.socket,
          path: '/hooks/claude?event=PermissionRequest',
          headers: { 'lull-pid': agent.pid },
        },
        JSON.stringify({ session_id: 's', tool_name: 'Bash', tool_input: { command: 'rm x' } }),
      )
      expect(sent.status).toBe(204)
      const row = async () => {
        const { stdout } = await lullHere(['ps', '--json'], there.env)
        return (JSON.parse(stdout) as { sessions: Row[] }).sessions.find(one => one.pid === agent.pid)
      }
      const before = await until(row, found => found?.state === 'waiting')
      const killed = Date.now()
      process.kill(pid, signal)
      await until(
        () => isAlive(pid),
        alive => !alive,
      )
      expect(await startHost(there)).not.toBe(pid)
      const after = await row()
      expect(after).toMatchObject({ id: before?.id, state: 'waiting', for: 'permission', hooks: 'heard' })
      expect(Date.parse(after?.since ?? '')).toBeLessThan(killed)
    },
  )

  test('that is killed ends the streams of those who listen', async () => {
    const there = shared
    const pid = await startHost(there)
    const live = hostSessions(there.socket)
    const changes = await live.changes()
    await changes.next()
    process.kill(pid, 'SIGKILL')
    for await (const _ of changes) {
      // Only its end is waited for.
    }
    await expect(live.list()).rejects.toThrow('no host answers')
  })

  test('takes hooks over TCP with its token only, and keeps the token', async () => {
    const there = shared
    const free = http.createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const { port } = free.address() as AddressInfo
    free.close()
    await lullHere(['host', 'stop'], there.env)
    await startHost(there, ['--port', String(port)])
    const token = readFileSync(path.join(there.state, 'token'), 'utf8').trim()
    const to = (authorization: string | undefined, host = '127.0.0.1') =>
      post(
        { host, port, path: '/hooks/claude?event=Stop', headers: authorization ? { authorization } : {} },
        '{}',
      )
    expect(await to(undefined)).toMatchObject({ status: 401, text: expect.stringContaining('wrong token') })
    expect(await to(`Bearer ${token.replace(/./, 'x')}`)).toMatchObject({ status: 401 })
    expect(await to('Bearer')).toMatchObject({ status: 401 })
    expect(await to(`Bearer ${token}`)).toMatchObject({ status: 204 })
    const status = await hostStatus(there.socket)
    expect(status.hooks).toMatchObject({ received: 1, unauthorised: 3, unplaced: 1 })
    expect((await post({ host: '127.0.0.1', port, path: '/v1/stop' }, '')).status).toBe(404)
    await lullHere(['host', 'stop'], there.env)
    await startHost(there)
    expect(readFileSync(path.join(there.state, 'token'), 'utf8').trim()).toBe(token)
  })

  test('a port that is taken is said, and shells with another environment come to the same host', async () => {
    const there = place()
    const { LULL_RUNTIME_DIR, ...env } = there.env
    const other = { ...env, XDG_RUNTIME_DIR: path.dirname(LULL_RUNTIME_DIR as string) }
    const server = http.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const first = await lullHere(['host', 'start', '--port', String(port)], other)
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('EADDRINUSE') })
    server.close()
    const elsewhere = await lullHere(['host', 'status', '--json'], { ...env, XDG_RUNTIME_DIR: '' })
    const { pid } = JSON.parse(elsewhere.stdout) as { pid: number }
    onTestFinished(() => void process.kill(pid, 'SIGKILL'))
    expect(first.stdout).toContain(`pid ${pid}`)
  })

  test('what is no hook is refused with a sentence, and counted', async () => {
    const there = shared
    await startHost(there)
    const { hooks: before } = await hostStatus(there.socket)
    const send = (where: string, body: string | Buffer) =>
      post({ socketPath: there.socket, path: where }, body)
    expect(await send('/hooks/claude', '{"torn')).toMatchObject({
      status: 400,
      text: expect.stringContaining('no JSON'),
    })
    expect(await send('/hooks/claude', '[1]')).toMatchObject({ status: 400 })
    expect(await send('/hooks/claude', '{"a":1}')).toMatchObject({
      status: 400,
      text: expect.stringContaining('event'),
    })
    expect(await send('/hooks/claude?event=Stop', '{"session_id":7}')).toMatchObject({ status: 204 })
    expect(await send('/hooks/emacs', '{}')).toMatchObject({
      status: 400,
      text: expect.stringContaining('known are'),
    })
    expect((await hostStatus(there.socket)).hooks).toMatchObject({
      received: before.received + 1,
      refused: before.refused + 4,
    })
  })

  test('a flood of bodies over 8 MB is refused, hooks between them are heard, and memory stays small', async () => {
    const there = shared
    const pid = await startHost(there)
    const { hooks: before } = await hostStatus(there.socket)
    const linesOfLog = () => readFileSync(path.join(there.state, 'host.log'), 'utf8').split('\n').length
    const linesBefore = linesOfLog()
    const large = Buffer.alloc(10 * 1024 * 1024, 32)
    const headers = { 'content-length': large.length }
    const flood = Array.from({ length: 30 }, () =>
      post({ socketPath: there.socket, path: '/hooks/claude?event=Stop', headers }, large).catch(
        () => undefined,
      ),
    )
    const between = await post({ socketPath: there.socket, path: '/hooks/claude?event=Stop' }, '{}')
    expect(between.status).toBe(204)
    for (const answer of await Promise.all(flood)) if (answer) expect(answer.status).toBe(413)
    const { hooks } = await hostStatus(there.socket)
    expect(hooks.received).toBe(before.received + 1)
    expect(hooks.refused).toBeGreaterThan(before.refused)
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    expect(kilobytes * 1024).toBeLessThan(40 * longestLine)
    expect(linesOfLog()).toBeLessThan(linesBefore + 40)
  })

  test('a full or missing state folder does not keep it from running', async () => {
    const there = place()
    mkdirSync(there.state, { recursive: true })
    mkdirSync(path.join(there.state, 'seen.json'))
    await startHost(there)
    const live = hostSessions(there.socket)
    await expect(live.markSeen(['x'])).rejects.toThrow(/the host answered 500/)
    expect(await live.list()).toBeInstanceOf(Array)
    await live.close()
  })
})
