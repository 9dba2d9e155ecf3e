/** What goes wrong in a fleet over NATS: a clock, a lull of another version, one that reads no more, a disk that is full. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HostsOrder, HostsReply } from '../../bench/fleet/hosts.ts'
import { natsServers } from '../../scripts/nats-servers.ts'
import { connectHub } from '../../src/fleet/nats/hub.ts'
import { protocol } from '../../src/host/messages.ts'
import { endWithTest } from '../support/end-with-test.ts'
import { lull, type Run, temporaryFolder } from '../support/lull.ts'
import { canMount, natsHub, natsServer } from '../support/nats-hub.ts'
import { neededProgram } from '../support/needed-program.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { until } from '../support/until.ts'

const faketime = neededProgram(
  'faketime',
  ['x86_64', 'aarch64'].map(machine => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`),
)
/** An old one whose disk is full answers nothing that needs it until it is killed. */
const newest = natsServers().findLast(({ version }) => !version.startsWith('2.9.'))
const hourMs = 3_600_000

type Env = Readonly<Record<string, string>>
type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly state: string }

const isHere = process.platform === 'linux' && natsServer.file !== undefined

describe.runIf(isHere)(`faults of a fleet over NATS${natsServer.skipped}`, () => {
  let hub: Awaited<ReturnType<typeof natsHub>>
  const viewer: Env = ownPlaces()
  const late: Env = {
    ...ownPlaces(),
    LD_PRELOAD: faketime.file ?? '',
    FAKETIME: '+1h',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  const right: Env = ownPlaces()
  const on = (env: Env, ...words: readonly string[]): Promise<Run> => lull(words, [], env)
  const rows = async (): Promise<readonly Row[]> =>
    (JSON.parse((await on(viewer, 'ps', '--fleet', '--json')).stdout) as { sessions: Row[] }).sessions
  const join = async (env: Env, name: string): Promise<void> => {
    // Its shell has no other clock.
    await on({ ...env, LD_PRELOAD: '' }, 'open', 'work', '--', 'bash', '--norc')
    expect(await on(env, 'fleet', 'join', hub.url, '--name', name, '--without-keys')).toMatchObject({
      code: 0,
      stderr: '',
    })
  }

  beforeAll(async () => {
    hub = await natsHub()
    expect(await on(viewer, 'fleet', 'join', hub.url, '--view')).toMatchObject({ code: 0 })
    await join(right, 'right')
  })
  afterAll(async () => {
    for (const env of [right, late]) {
      await on(env, 'terminals', 'stop', '--force')
      await on(env, 'host', 'stop')
    }
    await hub.kill()
  })

  test.runIf(faketime.file)(
    `a host whose clock is an hour ahead: ages are right, and the status says so${faketime.skipped}`,
    async () => {
      await join(late, 'late')
      const [row] = await until(
        async () => (await rows()).filter(({ host, state }) => host === 'late' && state === 'idle'),
        found => found.length > 0,
        'its session',
      )
      expect(Math.abs(Date.now() - Date.parse(String(row?.since)))).toBeLessThan(hourMs / 4)
      expect((await on(viewer, 'fleet', 'status')).stdout).toMatch(
        /late: .*its clock is (1 h|59 min|60 min).* ahead/,
      )
      // An action is not late there by the hour.
      expect(await on(viewer, 'send', 'work@late', 'echo still-$((40+2))', '--wait')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('still-42'),
      })
      await on(late, 'fleet', 'leave')
    },
  )

  test('a host with a lull of another protocol is a row that says so, and the others are shown', async () => {
    const own = { url: hub.url, who: 'other' }
    await using other = await connectHub(own)
    other.connection.subscribe('lull.other.>', {
      callback: (_, message) => {
        const pipe = 'x'
        const greeting = { protocol: protocol + 1, version: '9.9', now: 1, wall: Date.now(), pipe }
        message.respond(JSON.stringify(greeting))
      },
    })
    await other.join('other')
    const all = await rows()
    expect(all.find(({ id }) => id === '@other')).toMatchObject({
      state: 'unknown',
      note: expect.stringMatching(
        new RegExp(`other has lull 9.9, which speaks protocol ${protocol + 1}; this lull speaks ${protocol}`),
      ),
    })
    expect(all.find(({ host, name }) => host === 'right' && name === 'work')?.state).toBe('idle')
    const sent = await on(viewer, 'send', 'work@other', 'echo never')
    expect(sent).toMatchObject({ code: 1, stderr: expect.stringContaining('update the older one') })
    await other.forget('other')
  })

  test('a viewer that reads no more holds up nobody, and no memory of the host', async () => {
    const folder = temporaryFolder()
    const busy = hostsProcess([hub.url, folder, 0, 1, 50])
    await busy.reply()
    await busy.ask({ do: 'join' })
    const watch = () => startLull(['watch', '--fleet', '--json'], viewer)
    const [stopped, other] = [watch(), watch()]
    for (const each of [stopped, other]) await each.says('@host0')
    await busy.ask({ do: 'signals', perSecond: 3000, seconds: 2 })
    const usage = await busy.ask({ do: 'usage' })
    process.kill(stopped.pid, 'SIGSTOP')
    const seen = other.stdout().length
    await busy.ask({ do: 'signals', perSecond: 3000, seconds: 6 })
    const after = await busy.ask({ do: 'usage' })
    // What it did not read is 20 MB by then.
    expect(after.used - usage.used).toBeLessThan(15)
    expect(other.stdout().slice(seen).split('\n').length).toBeGreaterThan(100)
    const before = stopped.stdout().length
    process.kill(stopped.pid, 'SIGCONT')
    await until(
      () => stopped.stdout().slice(before),
      text => text.includes('"changed"'),
      'that it goes on',
    )
    for (const each of [stopped, other]) {
      each.kill('SIGINT')
      await each.ended
    }
    await busy.end()
  })

  test.runIf(newest && canMount())(
    'a full disk at the server: who is there goes on, who joins is refused, and all are shown once it begins again with room',
    async () => {
      const full = await natsHub(undefined, newest?.file, '1M')
      const joiner: Env = ownPlaces()
      const toFull = (env: Env, ...words: readonly string[]): Promise<Run> =>
        on(env, 'fleet', 'join', full.url, '--without-keys', ...words)
      const idleOn = async (name: string): Promise<boolean> =>
        (await rows()).some(({ host, state }) => host === name && state === 'idle')
      try {
        expect(await on(viewer, 'fleet', 'join', full.url, '--view')).toMatchObject({ code: 0 })
        expect(await toFull(right, '--name', 'right')).toMatchObject({ code: 0, stderr: '' })
        await until(() => idleOn('right'), Boolean, 'its session')
        fill(path.join(full.disk(), 'fill'))
        await using other = await connectHub({ url: full.url, who: 'right' })
        // The server still has room in what it has begun to write.
        await expect(
          (async () => {
            for (let puts = 0; puts < 300; puts++) await other.join('right')
          })(),
        ).rejects.toThrow('the NATS server')
        expect(await idleOn('right')).toBe(true)
        const sent = await on(viewer, 'send', 'work@right', 'echo full-$((40+2))', '--wait')
        expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('full-42') })
        await on(joiner, 'open', 'new', '--', 'bash', '--norc')
        expect(await toFull(joiner, '--name', 'joiner')).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('the NATS server'),
        })
        await full.kill()
        await full.start()
        await until(() => idleOn('right'), Boolean, 'that it is shown again')
        expect(await toFull(joiner, '--name', 'joiner')).toMatchObject({ code: 0, stderr: '' })
        await until(() => idleOn('joiner'), Boolean, 'the new one')
      } finally {
        await on(joiner, 'terminals', 'stop', '--force')
        await on(joiner, 'host', 'stop')
        await full.kill()
      }
    },
  )
})

/** Hosts over generated sessions, as `bench:fleet` has them. */
function hostsProcess(args: readonly (string | number)[]) {
  const file = path.resolve(import.meta.dirname, '../../bench/fleet/hosts.ts')
  const child: ChildProcess = fork(file, args.map(String), {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  endWithTest(child)
  const reply = async (): Promise<HostsReply> => ((await once(child, 'message')) as [HostsReply])[0]
  return {
    reply,
    ask(order: HostsOrder): Promise<HostsReply> {
      const answer = reply()
      child.send(order)
      return answer
    },
    async end(): Promise<void> {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** Until there is no byte left. */
function fill(file: string): void {
  const open = openSync(file, 'w')
  for (const size of [65_536, 1024, 1])
    try {
      for (;;) writeSync(open, Buffer.alloc(size))
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    }
  closeSync(open)
}
