/** A fleet over a real NATS server: hosts that join it are listed, followed, waited for and acted on from a machine that only looks. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { eventStream } from '../support/event-stream.ts'
import { lull, type Run, temporaryFolder } from '../support/lull.ts'
import { natsHub, natsServer } from '../support/nats-hub.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { until } from '../support/until.ts'

const askingAgent = fileURLToPath(new URL('../support/asking-agent.ts', import.meta.url))

type Env = Readonly<Record<string, string>>
type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly state: string }

describe.runIf(process.platform === 'linux' && natsServer.file)(
  `a fleet over NATS${natsServer.skipped}`,
  () => {
    let hub: Awaited<ReturnType<typeof natsHub>>
    const hosts = { red: ownPlaces(), blue: ownPlaces() }
    const viewer: Env = ownPlaces()
    const call = (...words: readonly string[]): Promise<Run> => lull(words, [], viewer)
    const onHost = (env: Env, ...words: readonly string[]): Promise<Run> => lull(words, [], env)
    const rowsOf = async (...words: readonly string[]): Promise<readonly Row[]> => {
      const { stdout, stderr } = await call('ps', ...words, '--json')
      expect(stderr).toBe('')
      return (JSON.parse(stdout) as { sessions: Row[] }).sessions
    }
    const stateOf = (rows: readonly Row[], host: string) =>
      rows.find(row => row.host === host && row.name === 'work')?.state

    beforeAll(async () => {
      hub = await natsHub()
      for (const [name, env] of Object.entries(hosts)) {
        expect(await onHost(env, 'open', 'work', '--', 'bash', '--norc')).toMatchObject({ code: 0 })
        expect(await onHost(env, 'fleet', 'join', hub.url, '--name', name)).toMatchObject({
          code: 2,
          stderr: expect.stringContaining('lets everybody in'),
        })
        const open = ['fleet', 'join', hub.url, '--name', name, '--without-keys']
        expect(await onHost(env, ...open)).toMatchObject({ code: 0 })
      }
      expect(await call('fleet', 'join', hub.url, '--view')).toMatchObject({ code: 0 })
      await until(
        () => call('fleet', 'status'),
        ({ code }) => code === 0,
        'both hosts',
      )
    })
    afterAll(async () => {
      for (const env of Object.values(hosts)) {
        await onHost(env, 'terminals', 'stop', '--force')
        await onHost(env, 'host', 'stop')
      }
      await hub.kill()
    })

    test('is listed and driven like one machine', async () => {
      const rows = await rowsOf('--fleet')
      const work = rows.filter(({ name }) => name === 'work')
      expect(work.map(({ host, id }) => [host, id.endsWith(`@${host}`)]).toSorted()).toEqual([
        ['blue', true],
        ['red', true],
      ])
      expect(await call('send', 'work@red', 'echo from-$((40+2))', '--wait')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('from-42'),
      })
      expect((await onHost(hosts.red, 'history')).stdout).toContain('fleet')
      const status = JSON.parse((await call('fleet', 'status', '--json')).stdout) as { hosts: unknown[] }
      expect(status.hosts).toMatchObject([
        { name: 'blue', connected: true },
        { name: 'red', connected: true },
      ])
    })

    test('the API of a host shows the others beside its own sessions, each once', async () => {
      const port = await freePort()
      await onHost(hosts.red, 'serve', '--port', String(port), '--on', 'fleet')
      const added = await onHost(hosts.red, 'serve', 'token', 'add', 'ci', '--json')
      const { token } = JSON.parse(added.stdout) as { token: string }
      const headers = { authorization: `Bearer ${token}` }
      const list = async () =>
        (await (await fetch(`http://127.0.0.1:${port}/v1/sessions`, { headers })).json()) as {
          sessions: Row[]
        }
      const { sessions } = await until(
        list,
        ({ sessions }) => sessions.some(({ host }) => host === 'blue'),
        'the other host',
      )
      expect(sessions.filter(({ name }) => name === 'work').map(({ host }) => host)).toEqual(
        expect.arrayContaining([undefined, 'blue']),
      )
      expect(sessions.some(({ host }) => host === 'red')).toBe(false)
      await onHost(hosts.red, 'serve', 'stop')
    })

    test('a host that joins later is shown by what follows already, and goes when it leaves', async () => {
      const green = ownPlaces()
      onTestFinished(async () => {
        await onHost(hosts.red, 'serve', 'stop')
        await onHost(green, 'terminals', 'stop', '--force')
        await onHost(green, 'host', 'stop')
      })
      const port = await freePort()
      await onHost(hosts.red, 'serve', '--port', String(port), '--on', 'fleet')
      const added = await onHost(hosts.red, 'serve', 'token', 'add', 'later', '--json')
      const stream = eventStream(
        `http://127.0.0.1:${port}`,
        (JSON.parse(added.stdout) as { token: string }).token,
      )
      await stream.has(({ event }) => event === 'snapshot', 'a snapshot')
      const watch = startLull(['watch', '--fleet', '--json'], viewer)
      await watch.says('@red')
      await onHost(green, 'open', 'late', '--', 'bash', '--norc')
      await onHost(green, 'fleet', 'join', hub.url, '--name', 'green', '--without-keys')
      await watch.says('@green')
      await stream.has(({ data }) => data.host === 'green' && data.name === 'late', 'its session')
      const before = watch.stdout().length
      expect(await onHost(green, 'fleet', 'leave')).toMatchObject({ code: 0, stderr: '' })
      await until(
        () => watch.stdout().slice(before).split('\n'),
        lines => lines.some(line => line.includes('"gone"') && line.includes('@green')),
        'that it goes',
      )
      await stream.has(
        ({ event, data }) => event === 'session.gone' && String(data.id).endsWith('@green'),
        'that it goes from the page',
      )
      await stream.close()
      watch.kill('SIGINT')
      await watch.ended
    })

    test('a name that is none is refused, and nothing keeps the command', async () => {
      expect(await call('ps', '--on', 'fleet,-x')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is no name of a box'),
      })
    })

    test('a name that is taken is refused, and both are told', async () => {
      const other = ownPlaces()
      expect(await onHost(other, 'fleet', 'join', hub.url, '--name', 'red', '--without-keys')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is connected as red already'),
      })
      const log = path.join(hosts.red.XDG_STATE_HOME ?? '', 'lull/host.log')
      await until(
        () => readFileSync(log, 'utf8'),
        text => text.includes('another machine wants to join the fleet as red'),
        'that the first one is told',
      )
    })

    test('a viewer that only reads can do nothing there', async () => {
      const reader = ownPlaces()
      await onHost(reader, 'fleet', 'join', hub.url, '--view', '--read-only')
      const { stdout } = await onHost(reader, 'ps', '--fleet', '--json')
      expect(stdout).toContain('@red')
      const refused = await onHost(reader, 'send', 'work@red', 'echo never')
      expect(refused.code).not.toBe(0)
      expect((await onHost(hosts.red, 'read', 'work')).stdout).not.toContain('never')
    })

    test('a dialog is answered from elsewhere, once', async () => {
      const notes = path.join(temporaryFolder(), 'notes')
      const agent = `exec -a claude ${process.execPath} ${askingAgent} ${notes} ${hosts.blue.HOME} 'rm -rf build'`
      await onHost(hosts.blue, 'open', 'asks', '--', 'bash', '-c', agent)
      await until(
        () => call('answer', 'asks@blue', '--list'),
        ({ stdout }) => stdout.includes('rm -rf build') && stdout.includes('3'),
        'its dialog',
      )
      expect(await call('answer', 'asks@blue', 'no')).toMatchObject({ code: 0 })
      expect(readFileSync(notes, 'utf8')).toBe('No\n')
      expect(await call('answer', 'asks@blue', 'no')).toMatchObject({ code: 1 })
    })

    test('a host that goes away is unknown, and never done; and is as it is once it returns', async () => {
      const watch = startLull(['watch', '--fleet', '--json'], viewer)
      await watch.says('@red')
      await onHost(hosts.red, 'host', 'stop')
      await until(
        async () =>
          stateOf(await rowsOf('--fleet'), 'red') ??
          (await rowsOf('--fleet')).find(({ id }) => id === '@red')?.state,
        state => state === 'unknown',
        'that nobody knows',
      )
      expect(stateOf(await rowsOf('--fleet'), 'blue')).not.toBe('unknown')
      expect(await call('fleet', 'status')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('red is not connected'),
      })
      const wait = startLull(['wait', 'work@red'], viewer)
      await wait.says('trying again')
      await onHost(hosts.red, 'host', 'start')
      expect(await wait.ended).toMatchObject({ code: 0 })
      await until(
        async () => stateOf(await rowsOf('--fleet'), 'red'),
        state => state !== undefined && state !== 'unknown',
        'its return',
      )
      watch.kill('SIGINT')
      await watch.ended
    })

    test('a server that is killed: what was watched is unknown, and comes back with it', async () => {
      const watch = startLull(['watch', '--fleet', '--json'], viewer)
      await watch.says('@blue')
      const before = watch.stdout().length
      await hub.kill()
      await until(
        () => watch.stdout().slice(before),
        text => text.includes('"unknown"'),
        'that nobody knows',
      )
      expect(await call('ps', '--fleet')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('NATS server'),
      })
      // No other way is taken than the one that was meant.
      expect(await call('send', 'work@red', 'echo never')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('NATS server'),
      })
      // This machine is asked all the same.
      expect(await call('ps')).toMatchObject({ code: 0 })
      const lost = watch.stdout().length
      await hub.start()
      await until(
        () => watch.stdout().slice(lost).split('\n'),
        lines => lines.some(line => line.includes('@red"') && !line.includes('"unknown"')),
        'that the watch sees it again',
      )
      await until(
        async () => (await call('fleet', 'status')).code,
        code => code === 0,
        'both hosts',
      )
      expect(stateOf(await rowsOf('--fleet'), 'red')).not.toBe('unknown')
      watch.kill('SIGINT')
      await watch.ended
    })

    test('a page that is served while the server is away shows the hosts once it is back', async () => {
      await hub.kill()
      const port = await freePort()
      await onHost(hosts.red, 'serve', '--port', String(port), '--on', 'fleet')
      const added = await onHost(hosts.red, 'serve', 'token', 'add', 'early', '--json')
      const stream = eventStream(
        `http://127.0.0.1:${port}`,
        (JSON.parse(added.stdout) as { token: string }).token,
      )
      const first = await stream.has(({ event }) => event === 'snapshot', 'a snapshot')
      expect(first?.data.sessions).toContainEqual(
        expect.objectContaining({
          id: '@fleet',
          state: 'unknown',
          note: expect.stringContaining('NATS server'),
        }),
      )
      await hub.start()
      const isBlue = (row: unknown): boolean => (row as Row).host === 'blue' && (row as Row).name === 'work'
      await stream.has(
        ({ data }) => isBlue(data) || ((data.sessions as Row[] | undefined) ?? []).some(isBlue),
        'the other host',
      )
      await onHost(hosts.red, 'serve', 'stop')
      await until(
        async () => (await call('fleet', 'status')).code,
        code => code === 0,
        'both hosts',
      )
    })

    test('one that leaves is not listed any more', async () => {
      expect(await onHost(hosts.red, 'fleet', 'leave')).toMatchObject({ code: 0 })
      expect((await rowsOf('--fleet')).some(({ host }) => host === 'red')).toBe(false)
      expect(
        await onHost(hosts.red, 'fleet', 'join', hub.url, '--name', 'red', '--without-keys'),
      ).toMatchObject({ code: 0 })
    })
  },
)

describe.runIf(process.platform === 'linux' && natsServer.file)(
  `keys of a fleet${natsServer.skipped}`,
  () => {
    let hub: Awaited<ReturnType<typeof natsHub>>
    const dir = temporaryFolder()
    const admin = ownPlaces()
    const machines = { red: ownPlaces(), phone: ownPlaces(), tv: ownPlaces() }
    const keys = async (...words: readonly string[]): Promise<void> => {
      expect(await lull(['fleet', 'keys', ...words, '--dir', dir], [], admin)).toMatchObject({
        code: 0,
        stderr: '',
      })
    }
    const on = (name: keyof typeof machines, ...words: readonly string[]): Promise<Run> =>
      lull(words, [], machines[name])
    const keyOf = (name: string): string => path.join(dir, `${name}.nk`)
    const join = (name: keyof typeof machines, ...words: readonly string[]): Promise<Run> =>
      on(name, 'fleet', 'join', hub.url, '--creds', keyOf(name), ...words)

    beforeAll(async () => {
      await keys('init')
      await keys('add', 'red', '--as', 'host')
      await keys('add', 'blue', '--as', 'host')
      await keys('add', 'phone', '--as', 'operator')
      await keys('add', 'tv', '--as', 'viewer')
      hub = await natsHub(path.join(dir, 'fleet.conf'))
      await on('red', 'open', 'work', '--', 'bash', '--norc')
      expect(await join('red')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no list of hosts yet'),
      })
      expect(await join('phone', '--view')).toMatchObject({ code: 0, stderr: '' })
      expect(await join('red')).toMatchObject({ code: 0, stderr: '' })
      expect(await join('tv', '--view')).toMatchObject({ code: 0, stderr: '' })
      await until(
        () => on('phone', 'fleet', 'status'),
        ({ code }) => code === 0,
        'the host',
      )
    })
    afterAll(async () => {
      await on('red', 'terminals', 'stop', '--force')
      await on('red', 'host', 'stop')
      await hub.kill()
    })

    test('nobody is let in without one', async () => {
      const stranger = ownPlaces()
      const refused = await lull(['fleet', 'join', hub.url, '--view'], [], stranger)
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/Authorization/i) })
    })

    test('an operator acts, and a viewer only looks, whatever it asks for', async () => {
      expect(await on('phone', 'send', 'work@red', 'echo by-phone')).toMatchObject({ code: 0 })
      expect((await on('tv', 'ps', '--fleet')).stdout).toContain('work')
      const refused = await on('tv', 'send', 'work@red', 'echo by-tv')
      expect(refused.code).not.toBe(0)
      expect(hub.log()).toMatch(/Publish Violation.*lull\.red\.act/)
      const shown = await until(
        async () => (await on('red', 'read', 'work')).stdout,
        text => text.includes('by-phone'),
        'what was sent',
      )
      expect(shown).not.toContain('by-tv')
    })

    test('the history of a host names who acted', async () => {
      const { stdout } = await on('red', 'history', 'work')
      expect(stdout).toContain('send by fleet:phone: echo by-phone')
    })

    test('a key is for one name', async () => {
      const words = ['fleet', 'join', hub.url, '--creds', keyOf('phone'), '--name', 'red']
      expect(await lull(words, [], ownPlaces())).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('made for phone'),
      })
    })

    test('a host is no other one', async () => {
      const thief = ownPlaces()
      const words = ['fleet', 'join', hub.url, '--creds', keyOf('blue'), '--name', 'green']
      const { code } = await lull(words, [], thief)
      expect(code).not.toBe(0)
      const { stdout } = await on('phone', 'fleet', 'status', '--json')
      expect((JSON.parse(stdout) as { hosts: { name: string }[] }).hosts.map(({ name }) => name)).toEqual([
        'red',
      ])
    })

    test('a host that looks at no other one is well in its fleet, and told why it is shown none', async () => {
      const doctor = await on('red', 'fleet', 'doctor')
      expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('listed as red') })
      expect(await on('red', 'ps', '--fleet')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('does not look at the others'),
      })
    })

    test('one that is revoked is cut off while it watches', async () => {
      const watch = startLull(['watch', '--fleet', '--json'], machines.tv)
      await watch.says('@red')
      await keys('revoke', 'tv')
      hub.reload()
      await until(
        () => on('tv', 'ps', '--fleet'),
        ({ code }) => code !== 0,
        'that it is refused',
      )
      await until(
        () => watch.stdout(),
        text => text.includes('"unknown"'),
        'that it hears nothing any more',
      )
      watch.kill('SIGINT')
      await watch.ended
      expect(await on('phone', 'fleet', 'status')).toMatchObject({ code: 0 })
    })
  },
)
