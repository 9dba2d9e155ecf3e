/** `lull host stdio`: the API over stdin and stdout of a process, for whoever may start it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import http2 from 'node:http2'
import { Duplex, PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { type BoxGreeting, beforeHeader, greetingReader } from '../../src/fleet/box-greeting.ts'
import { endWithTest } from '../support/end-with-test.ts'
import { bin, lull } from '../support/lull.ts'
import { ownTerminals } from '../support/own-terminals.ts'
import { ownPlaces } from '../support/running.ts'

type Stdio = {
  readonly child: ChildProcess
  readonly greeting: BoxGreeting
  ask(
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; answer: unknown }>
}

async function stdio(env: Readonly<Record<string, string>>): Promise<Stdio> {
  const child = spawn(process.execPath, [bin, 'host', 'stdio'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endWithTest(child)
  const reader = greetingReader()
  const greeting = await new Promise<BoxGreeting>(resolve => {
    child.stdout.on('data', function take(piece: Buffer) {
      const found = reader.take(piece)
      if (!found) return
      child.stdout.off('data', take).pause().unshift(found.rest)
      resolve(found.greeting)
    })
  })
  const session = http2.connect('http://lull', {
    createConnection: () => Duplex.from({ readable: child.stdout, writable: child.stdin }),
  })
  session.on('error', () => undefined)
  return {
    child,
    greeting,
    async ask(path, body, headers = {}) {
      const sent = body === undefined ? '' : JSON.stringify(body)
      const stream = session.request({
        ':method': body === undefined ? 'GET' : 'POST',
        ':path': path,
        ...{ host: 'lull', authorization: 'Bearer ssh', ...headers },
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': sent.length }),
      })
      const pieces = stream.pipe(new PassThrough({ encoding: 'utf8' }))
      if (sent !== '') stream.end(sent)
      const [answered] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders]
      const text = (await pieces.toArray()).join('')
      return { status: Number(answered[':status']), answer: JSON.parse(text) as unknown }
    },
  }
}

describe.runIf(process.platform === 'linux')('lull host stdio', () => {
  test('does an action once over all connections, never after its expiry, and ends with its client', async () => {
    const { env, lull: call } = ownTerminals()
    expect(await call('open', 'work', '--', 'bash', '--norc')).toMatchObject({ code: 0 })
    const first = await stdio(env)
    const send = { text: 'echo once' }
    const path = '/v1/sessions/work/send'
    const late = await first.ask(path, send, { [beforeHeader]: `${first.greeting.now - 1}` })
    expect(late).toMatchObject({ status: 409, answer: { error: { code: 'TOO_LATE' } } })
    const inTime = { [beforeHeader]: `${first.greeting.now + 3_600_000}`, 'idempotency-key': 'k' }
    expect(await first.ask(path, send, inTime)).toMatchObject({ status: 200 })
    first.child.stdin?.end()
    await once(first.child, 'exit')
    const second = await stdio(env)
    expect(await second.ask(path, send, inTime)).toMatchObject({ status: 200 })
    const { stdout } = await call('read', 'work')
    expect(stdout.match(/echo once/g)).toHaveLength(1)
    expect((await call('history')).stdout).toContain('send by ssh')
    second.child.stdout?.destroy()
    second.child.stdin?.destroy()
    await once(second.child, 'exit')
  })

  test('starts no host', async () => {
    const env = ownPlaces()
    const { ask, child } = await stdio(env)
    expect(await ask('/v1/sessions')).toMatchObject({ status: 200 })
    expect((await lull(['host', 'status'], [], env)).stdout).toContain('no host runs')
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
})
