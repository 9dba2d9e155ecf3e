/** One table of behaviour, over the socket of a host and over HTTP to the same host; then what only HTTP has. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connect, type LiveSession, type Lull } from '../../src/index.ts'
import { answerTo } from '../support/answer-to.ts'
import { servedHost } from '../support/served-host.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const isLinux = process.platform === 'linux'
const idle = { status: 'idle', sessionId: 's' }
const asks = { status: 'waiting', waitingFor: 'permission prompt', sessionId: 's' }

let host: Awaited<ReturnType<typeof servedHost>>
let token: string
const before = { ...process.env }

beforeAll(async () => {
  if (!isLinux) return
  host = await servedHost()
  token = await host.newToken('ci', 'act')
  Object.assign(process.env, host.env)
})
afterAll(async () => {
  for (const name of Object.keys(host?.env ?? {})) delete process.env[name]
  Object.assign(process.env, before)
  await host?.end()
})

type Way = 'socket' | 'http'
const open = (way: Way): Promise<Lull> => connect(way === 'http' ? { url: host.url, token } : {})

const kindOf = ({ session }: LiveSession): string => session.verdict.state.kind

/** An agent that the host has found, in that state. */
async function agentIn(lull: Lull, status: object): Promise<StandIn & { readonly id: string }> {
  const agent = await startStandIn()
  agent.status({ ...status, statusUpdatedAt: Date.now() })
  const found = await until(
    async () => (await lull.sessions()).find(({ pid }) => pid === agent.pid),
    one => one !== undefined && kindOf(one) === (status as { status: string }).status,
    'the agent',
  )
  return { ...agent, id: (found as LiveSession).id }
}

const codeOf = (error: unknown) => {
  const { code, facts, exit } = error as { code?: string; facts?: object; exit?: number }
  return { code, facts, exit }
}
const refusalOf = (call: Promise<unknown>): Promise<unknown> => call.then(value => ({ value }), codeOf)

describe.runIf(isLinux).each<Way>(['socket', 'http'])('a connection over %s', way => {
  test('answers by a host, and lists its sessions', async () => {
    await using lull = await open(way)
    const agent = await agentIn(lull, idle)
    expect(await lull.via()).toBe('host')
    const [one] = await lull.sessions([`pid:${agent.pid}`])
    expect(one).toMatchObject({ id: agent.id, agent: 'claude', cwd: agent.cwd })
  })

  test('finds a session by its id, process and folder', async () => {
    await using lull = await open(way)
    const agent = await agentIn(lull, idle)
    for (const address of [agent.id, agent.id.slice(0, 6), `pid:${agent.pid}`, agent.cwd])
      expect([address, (await lull.find(address)).pid]).toEqual([address, agent.pid])
  })

  test('refuses an address with the same code and facts', async () => {
    await using lull = await open(way)
    const [one, other] = [await agentIn(lull, idle), await agentIn(lull, idle)]
    expect(await refusalOf(lull.find('nobody-of-this-name'))).toEqual({
      ...{ code: 'NO_SESSION', exit: 2, facts: { address: 'nobody-of-this-name' } },
    })
    expect(await refusalOf(lull.sessions(['nobody-of-this-name']))).toMatchObject({ code: 'NO_SESSION' })
    expect(await refusalOf(lull.waitFor('nobody-of-this-name'))).toMatchObject({ code: 'NO_SESSION' })
    expect(await refusalOf(lull.find('pid:x'))).toMatchObject({
      code: 'BAD_ADDRESS',
      facts: { address: 'pid:x' },
    })
    const { code, facts } = (await refusalOf(lull.find('claude'))) as ReturnType<typeof codeOf>
    expect(code).toBe('AMBIGUOUS_SESSION')
    expect(facts).toMatchObject({ candidates: expect.arrayContaining([one.id, other.id]) })
  })

  test('sends a snapshot, then each change', async () => {
    await using lull = await open(way)
    const agent = await agentIn(lull, idle)
    const changes = lull.changes()
    const first = await changes.next()
    expect(first.value).toMatchObject({ type: 'snapshot' })
    agent.status({ ...asks, statusUpdatedAt: Date.now() })
    for await (const change of changes)
      if (change.type === 'changed' && change.session.id === agent.id && kindOf(change.session) === 'waiting')
        break
  })

  test('waits for a state, for the next turn, and no longer than its timeout', async () => {
    await using lull = await open(way)
    const agent = await agentIn(lull, idle)
    const address = `pid:${agent.pid}`
    expect((await lull.waitFor(address)).outcome).toBe('reached')
    const late = await lull.waitFor(address, { until: 'waiting', timeout: 300 })
    expect([late.outcome, late.sessions.map(({ id }) => id)]).toEqual(['timeout', [agent.id]])
    let isRegistered = false
    const onRegistered = () => {
      isRegistered = true
    }
    const next = lull.waitFor(address, { next: true, timeout: 60_000, onRegistered })
    await until(
      () => isRegistered,
      registered => registered,
    )
    agent.status({ status: 'busy', sessionId: 's', statusUpdatedAt: Date.now() })
    await lull.waitFor(address, { until: 'idle', timeout: 0 })
    await until(
      () => lull.find(address),
      one => kindOf(one) === 'working',
    )
    agent.status({ ...idle, statusUpdatedAt: Date.now() })
    expect((await next).outcome).toBe('reached')
    agent.status({ ...asks, statusUpdatedAt: Date.now() })
    await until(
      () => lull.find(address),
      one => kindOf(one) === 'waiting',
    )
    expect((await lull.waitFor([address], { any: true })).outcome).toBe('waitsForPerson')
  })

  test('waits for a session that is still to come, and until a signal', async () => {
    await using lull = await open(way)
    const stop = new AbortController()
    const never = lull.waitFor('never-comes', { appear: true, signal: stop.signal })
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(never).rejects.toBe(reason)
    const agent = await startStandIn({ folder: `to-come-${way}` })
    const coming = lull.waitFor(agent.cwd, { appear: true, timeout: 60_000 })
    agent.status({ ...idle, statusUpdatedAt: Date.now() })
    expect((await coming).sessions.map(({ pid }) => pid)).toEqual([agent.pid])
  })

  test('explains a session', async () => {
    await using lull = await open(way)
    const agent = await agentIn(lull, asks)
    const { sentence, evidence } = await lull.explain(agent.id)
    expect(sentence).toContain('Waiting for a permission')
    expect(evidence.length).toBeGreaterThan(0)
  })

  test('marks sessions as seen; one that is gone is none', async () => {
    await using lull = await open(way)
    const agent = await agentIn(lull, idle)
    await lull.markSeen([agent.id, 'gone1234'])
    await until(
      () => lull.find(agent.id),
      ({ isSeen }) => isSeen,
    )
  })

  test('drives a terminal of lull’s own', async () => {
    await using lull = await open(way)
    const name = `box-${way}`
    await using terminal = await lull.open(name, { words: ['bash', '--norc'] })
    expect(terminal.pane).toMatchObject({ id: name, pid: expect.any(Number) })
    expect(await refusalOf(lull.open(name))).toMatchObject({ code: 'NAME_TAKEN' })
    const sent = await terminal.send('echo $((40+2))', { wait: { timeout: 60_000 } })
    expect(sent).toMatchObject({ isEntered: true, isRead: true, rows: expect.arrayContaining(['42']) })
    expect(sent.answer).toMatchObject({ outcome: 'reached', state: 'ready' })
    expect(sent.answer?.screen).toContain('42')
    expect(await terminal.send('echo one')).toMatchObject({ isEntered: true, bytes: 8 })
    await until(
      () => terminal.read({ lines: 20 }),
      rows => rows.includes('one'),
    )
    await terminal.keys(['x', 'C-u'])
    expect(await terminal.dialog()).toBeUndefined()
    expect(await terminal.agent()).toBeUndefined()
    expect(await refusalOf(terminal.answer('yes'))).toMatchObject({
      ...{ code: 'REFUSED_TO_TYPE', facts: { outcome: 'failed', typed: 0 } },
    })
    expect(await refusalOf(terminal.keys(['NoSuchKey']))).toMatchObject({ code: 'BAD_KEY' })
    await using again = await lull.terminal(name, { readOnly: true })
    expect(await refusalOf(again.send('x'))).toMatchObject({ code: 'REFUSED_TO_TYPE' })
    await lull.end(name)
    await (await lull.open(`${name}-over`, { words: ['sh', '-c', 'exit 3'] })).close()
    await until(
      () => refusalOf(lull.waitFor(`${name}-over`, { timeout: 1000 })),
      answer => (answer as { code?: string }).code === 'TERMINAL_ENDED',
    )
    expect(await refusalOf(lull.end(`${name}-never`))).toMatchObject({ code: 'NO_SESSION' })
    expect(await refusalOf(lull.terminal(`${name}-never`))).toMatchObject({ code: 'NO_SESSION' })
  })

  test('does nothing more once it is closed, and ends what is read of it', async () => {
    const lull = await open(way)
    const changes = lull.changes()
    await changes.next()
    const rest = (async () => {
      for await (const _ of changes);
    })()
    await lull.close()
    await rest
    expect(await answerTo(() => lull.sessions())).toMatch(/^CLOSED sessions: this connection was closed/)
  })
})

describe.runIf(isLinux)('over HTTP', () => {
  test('a session is the same as over the socket, on one machine to the instant', async () => {
    await using here = await open('socket')
    await using there = await open('http')
    const agent = await agentIn(here, asks)
    const [one, other] = [await here.find(agent.id), await there.find(agent.id)]
    expect(other).toEqual(one)
  })

  test('what needs the machine itself is refused with a sentence', async () => {
    await using lull = await open('http')
    await using terminal = await lull.open('box-refused')
    const calls: Readonly<Record<string, () => unknown>> = {
      run: () => lull.run(['true']),
      loop: () => lull.loop(),
      respawn: () => lull.respawn('claude', {}),
      diagnose: () => lull.diagnose(1),
      observe: () => terminal.observe(),
      settle: () => terminal.settle(),
      waitReady: () => terminal.waitReady(),
    }
    for (const [name, call] of Object.entries(calls))
      expect(await answerTo(call)).toMatch(new RegExp(`^USAGE ${name}: not over HTTP: `))
    expect(await answerTo(() => terminal.send('x', { force: true }))).toMatch(
      /^USAGE send: force is not possible/,
    )
    expect(await answerTo(() => lull.find('./api'))).toMatch(/^BAD_ADDRESS a relative folder/)
    expect(await answerTo(() => lull.terminal())).toMatch(/^USAGE terminal: .* needs an address/)
    // A shell that has just begun, on a busy machine, takes its time to hang up.
    await lull.end('box-refused', { force: true })
  })

  test('a token that may read changes nothing; one that is revoked ends what it follows', async () => {
    const reader = await host.newToken('reader', 'read')
    await using lull = await connect({ url: host.url, token: reader })
    const changes = lull.changes()
    await changes.next()
    expect(await refusalOf(lull.open('box-never'))).toMatchObject({ code: 'READ_ONLY' })
    const rest = refusalOf(
      (async () => {
        for await (const _ of changes);
      })(),
    )
    await host.revoke('reader')
    expect(await rest).toMatchObject({ code: 'WRONG_TOKEN', exit: 2 })
    expect(await refusalOf(lull.sessions())).toMatchObject({ code: 'WRONG_TOKEN' })
  })

  test('goes on with another snapshot after the API was away; so does a wait', async () => {
    const notices: string[] = []
    await using lull = await connect({ url: host.url, token, onNotice: text => notices.push(text) })
    const agent = await agentIn(lull, idle)
    const changes = lull.changes()
    await changes.next()
    // Agents of other tests change meanwhile.
    const another = (async () => {
      for (;;) {
        const { value, done } = await changes.next()
        if (done || value.type === 'snapshot') return value
      }
    })()
    const idleAgain = lull.waitFor(agent.id, { timeout: 60_000, until: 'idle', next: true })
    await host.stopServing()
    expect(await refusalOf(lull.waitFor(agent.id, { timeout: 0 }))).toMatchObject({ code: 'HOST_GONE' })
    // Who comes back only after it is served again has missed nothing, and says nothing.
    await until(
      () => notices.join('\n'),
      text => text.includes('trying again'),
      'that it is away',
    )
    await host.serveAgain()
    expect(await another).toMatchObject({ type: 'snapshot' })
    const headers = { authorization: `Bearer ${token}` }
    const status = async () => (await fetch(`${host.url}/v1/status`, { headers })).json()
    await until(
      async () => ((await status()) as { clients: number }).clients,
      clients => clients === 2,
      'both streams',
    )
    agent.status({ status: 'busy', sessionId: 's', statusUpdatedAt: Date.now() })
    await until(
      () => lull.find(agent.id),
      one => kindOf(one) === 'working',
    )
    agent.status({ ...idle, statusUpdatedAt: Date.now() })
    expect((await idleAgain).outcome).toBe('reached')
    expect(notices.join('\n')).toMatch(/does not answer .*; trying again[\s\S]*answers again/)
  })

  test('a redirect is not followed, and a server of something else is none', async () => {
    const asked: string[] = []
    const server = http.createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    await using lull = await connect({ url: `http://127.0.0.1:${port}`, token })
    expect(await answerTo(() => lull.sessions())).toMatch(/^HOST_GONE .* redirect, which is not followed/)
    expect(asked).toEqual([expect.stringMatching(/^\/v1\/live/)])
  })
})
