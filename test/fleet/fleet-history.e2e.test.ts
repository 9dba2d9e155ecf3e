/** What a host has published at a real NATS server: its past is there while it is away, as far as it shares it, and after the server lost its disk. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lull, type Run, temporaryFolder } from '../support/lull.ts'
import { natsHub, natsServer } from '../support/nats-hub.ts'
import { ownPlaces } from '../support/running.ts'
import { until } from '../support/until.ts'

describe.runIf(process.platform === 'linux' && natsServer.file)(
  `the history of a fleet${natsServer.skipped}`,
  () => {
    let hub: Awaited<ReturnType<typeof natsHub>>
    const dir = temporaryFolder()
    const machines = { red: ownPlaces(), tv: ownPlaces(), other: ownPlaces() }
    const on = (name: keyof typeof machines, ...words: readonly string[]): Promise<Run> =>
      lull(words, [], machines[name])
    const join = async (name: keyof typeof machines, ...words: readonly string[]): Promise<void> => {
      const key = path.join(dir, `${name === 'other' ? 'tv' : name}.nk`)
      const joined = await on(name, 'fleet', 'join', hub.url, '--creds', key, ...words)
      expect(joined).toMatchObject({ code: 0, stderr: '' })
    }
    const isConnected = () =>
      until(
        () => on('tv', 'fleet', 'status'),
        ({ code }) => code === 0,
        'the host',
      )

    beforeAll(async () => {
      await lull(['fleet', 'keys', 'init', '--dir', dir], [], machines.red)
      for (const [name, roles] of [
        ['red', 'host,operator'],
        ['tv', 'operator'],
      ] as const)
        await lull(['fleet', 'keys', 'add', name, '--as', roles, '--dir', dir], [], machines.red)
      hub = await natsHub(path.join(dir, 'fleet.conf'))
      await on('red', 'open', 'work', '--', 'bash', '--norc')
      await join('red')
      await join('tv', '--view')
      await isConnected()
      // Kept, and published when its host ends.
      expect(await on('tv', 'send', 'work@red', 'echo hello', '--wait')).toMatchObject({ code: 0 })
      await until(
        async () => (await on('red', 'history', 'work')).stdout,
        text => text.includes('idle'),
        'its history',
      )
    })
    afterAll(async () => {
      await on('red', 'terminals', 'stop', '--force')
      await on('red', 'host', 'stop')
      await hub.kill()
    })

    test('a machine is well in its fleet', async () => {
      expect(await on('red', 'fleet', 'doctor')).toMatchObject({ code: 0 })
      expect(await on('tv', 'fleet', 'doctor')).toMatchObject({ code: 0 })
    })

    test('a host that is away: its past, and that nobody knows its present', async () => {
      await on('red', 'host', 'stop')
      const rows = JSON.parse((await on('tv', 'ps', '--fleet', '--json')).stdout) as {
        sessions: { id: string; name?: string; state: string; since: string }[]
      }
      // It said that it is there when it joined, and each minute.
      const row = rows.sessions.find(({ id }) => id === '@red')
      expect(row?.state).toBe('unknown')
      expect(Date.parse(row?.since ?? '')).toBeLessThan(Date.now() - 1000)
      // No viewer was there while it was.
      const work = rows.sessions.find(({ id, name }) => id.endsWith('@red') && name === 'work')
      expect(work).toMatchObject({ state: 'unknown', since: row?.since })
      const since = await on('tv', 'since', '1h', '--fleet', '--json')
      const lines = since.stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Readonly<Record<string, unknown>>)
      expect(lines).toContainEqual(
        expect.objectContaining({
          id: expect.stringMatching(/@red$/),
          name: 'work',
          state: 'idle',
          outcome: 'unknown',
        }),
      )
      expect(lines).toContainEqual(expect.objectContaining({ host: 'red', outcome: 'unknown' }))
      expect((await on('tv', 'history', 'work@red')).stdout).toContain('send by fleet:tv: echo hello')
      expect((await on('tv', 'history', '--fleet')).stdout).toContain('@red')
      expect(await on('tv', 'history', 'nothing@red')).toMatchObject({ code: 2 })
      expect((await on('tv', 'fleet', 'status')).stdout).toContain('published its history')
    })

    test('a server that has lost its disk gets all again, and a viewer has nothing twice', async () => {
      const before = (await on('tv', 'history', 'work@red')).stdout
      await hub.kill()
      rmSync(hub.store, { recursive: true })
      await hub.start()
      await on('red', 'host', 'start')
      await isConnected()
      await join('other', '--view')
      await until(
        async () => (await on('other', 'history', '--fleet')).stdout,
        text => text.includes('send by fleet:tv: echo hello'),
        'that it is published again',
      )
      const after = (await on('tv', 'history', 'work@red')).stdout
      expect(after.match(/send by fleet:tv/g)).toHaveLength(1)
      expect(before.match(/send by fleet:tv/g)).toHaveLength(1)
    })

    test('what it does not share is not seen, and says so', async () => {
      expect(await on('tv', 'read', 'work@red')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('shares no screens'),
      })
      await join('red', '--share', 'screens')
      await isConnected()
      expect((await on('tv', 'read', 'work@red')).stdout).toContain('hello')
      const less = await on(
        'red',
        'fleet',
        'join',
        hub.url,
        '--creds',
        path.join(dir, 'red.nk'),
        '--share',
        'states',
      )
      expect(less).toMatchObject({ code: 0, stderr: expect.stringContaining('is taken from the server') })
      await isConnected()
      expect(await on('tv', 'send', 'work@red', 'echo never')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('shares states alone'),
      })
      expect((await on('tv', 'ps', '--fleet')).stdout).toContain('work')
      expect((await on('red', 'read', 'work')).stdout).not.toContain('never')
      expect(await on('red', 'fleet', 'join', hub.url, '--share', 'all')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('states, text, screens'),
      })
      await join('red')
      await isConnected()
    })

    test('one that is forgotten leaves nothing at the server', async () => {
      expect(await on('tv', 'fleet', 'forget', 'red')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is connected'),
      })
      await on('red', 'host', 'stop')
      expect(await on('tv', 'fleet', 'forget', 'red')).toMatchObject({ code: 0 })
      const fresh = ownPlaces()
      await lull(['fleet', 'join', hub.url, '--creds', path.join(dir, 'tv.nk'), '--view'], [], fresh)
      expect((await lull(['history', '--fleet'], [], fresh)).stdout).not.toContain('@red')
    })
  },
)
