/** Clients of a real NATS server that hold a valid key of a fleet, and mean ill: what they reach of others. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { connect, headers, type NatsConnection, nkeyAuthenticator, nkeys } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { batchText } from '../../src/fleet/history/batch.ts'
import { inboxOf } from '../../src/fleet/nats/fleet-keys.ts'
import { connectHub, type Hub } from '../../src/fleet/nats/hub.ts'
import { lull, type Run, temporaryFolder } from '../support/lull.ts'
import { natsHub, natsServer } from '../support/nats-hub.ts'
import { ownPlaces } from '../support/running.ts'
import { until } from '../support/until.ts'

describe.runIf(process.platform === 'linux' && natsServer.file)(
  `a hostile key of a fleet${natsServer.skipped}`,
  () => {
    let hub: Awaited<ReturnType<typeof natsHub>>
    let evil: NatsConnection
    let spy: NatsConnection
    let tv: Hub
    const dir = temporaryFolder()
    const machines = { red: ownPlaces(), tv: ownPlaces() }
    const on = (name: keyof typeof machines, ...words: readonly string[]): Promise<Run> =>
      lull(words, [], machines[name])
    const keyOf = (name: string): string => path.join(dir, `${name}.nk`)
    const client = (name: string): Promise<NatsConnection> => {
      const [seed = ''] = /SU[A-Z2-7]+/.exec(readFileSync(keyOf(name), 'utf8')) ?? []
      const bytes = new TextEncoder().encode(seed)
      const inboxPrefix = inboxOf(nkeys.fromSeed(bytes).getPublicKey())
      return connect({ servers: hub.url, authenticator: nkeyAuthenticator(bytes), inboxPrefix })
    }
    /** What a subject of a stream had last, once that is as it should be. */
    const lastOf = (stream: string, subject: string, isIt: (data: string) => boolean) =>
      until(
        async () => {
          const asked = JSON.stringify({ last_by_subj: subject })
          const reply = await tv.connection.request(`$JS.API.STREAM.MSG.GET.${stream}`, asked)
          const { message } = reply.json<{ message?: { data?: string } }>()
          return Buffer.from(message?.data ?? '', 'base64').toString()
        },
        isIt,
        `that ${subject} has it`,
      )

    beforeAll(async () => {
      await lull(['fleet', 'keys', 'init', '--dir', dir], [], machines.red)
      for (const [name, roles] of [
        ['red', 'host'],
        ['evil', 'host'],
        ['spy', 'viewer'],
        ['tv', 'operator'],
      ] as const)
        await lull(['fleet', 'keys', 'add', name, '--as', roles, '--dir', dir], [], machines.red)
      hub = await natsHub(path.join(dir, 'fleet.conf'))
      await on('tv', 'fleet', 'join', hub.url, '--creds', keyOf('tv'), '--view')
      await on('tv', 'history', '--fleet')
      await on('red', 'open', 'work', '--', 'bash', '--norc')
      await on('red', 'fleet', 'join', hub.url, '--creds', keyOf('red'))
      await until(
        () => on('tv', 'fleet', 'status'),
        ({ code }) => code === 0,
        'the host',
      )
      ;[evil, spy, tv] = await Promise.all([
        client('evil'),
        client('spy'),
        connectHub({ url: hub.url, creds: keyOf('tv'), who: 'tv' }),
      ])
    })
    afterAll(async () => {
      await Promise.all([evil, spy, tv].map(one => one?.close()))
      await on('red', 'terminals', 'stop', '--force')
      await on('red', 'host', 'stop')
      await hub.kill()
    })

    test('who was asked by a viewer does not learn where others answer that viewer', () => {
      const parts = Array.from({ length: 20 }, () => tv.inbox().split('.').at(-1) ?? '')
      expect(new Set(parts.map(part => part.slice(0, 12))).size).toBe(20)
    })

    test('what the server itself writes for a host is of no other one: its copies and its replies', async () => {
      const entry = { id: 1, at: Date.now(), kind: 'session.state', session: 'abcd1234', agent: 'claude' }
      const forged = { ...entry, data: { state: 'idle', turn: 1, name: 'forged' } }
      const removed = headers()
      removed.set('KV-Operation', 'DEL')
      const text = batchText({ store: 's', wall: Date.now(), entries: [forged] })
      evil.publish('lull.evil.history', text, { headers: removed })
      const copy = '$JS.API.DIRECT.GET.lull-history.lull.evil.history'
      evil.publish(copy, '', { reply: 'lull.red.history' })
      evil.publish(copy, '', { reply: '$KV.lull-hosts.red' })
      evil.publish('$JS.API.INFO', '', { reply: '$KV.lull-hosts.nobody' })
      await lastOf('lull-history', 'lull.red.history', data => data.includes('forged'))
      await lastOf('KV_lull-hosts', '$KV.lull-hosts.red', data => data.includes('forged'))
      await lastOf('KV_lull-hosts', '$KV.lull-hosts.nobody', data => data !== '')
      const { stdout } = await on('tv', 'history', '--fleet', '--json')
      expect(stdout).toContain('abcd1234@evil')
      expect(stdout).not.toContain('abcd1234@red')
      expect([...(await tv.hosts()).keys()]).not.toContain('nobody')
    })

    /** What red says to who asks it. */
    const askRed = async (by: NatsConnection, who: string): Promise<string> =>
      (await by.request(`lull.red.read.${who}`, '', { timeout: 5000 })).string()

    test('a host answers a viewer in an inbox alone, and writes nothing of its own for him', async () => {
      for (const reply of ['lull.red.history', '$KV.lull-hosts.red'])
        spy.publish('lull.red.read.spy', '', { reply })
      expect(await askRed(spy, 'spy')).toContain('"pipe"')
      for (const [stream, subject, own] of [
        ['lull-history', 'lull.red.history', 'lull.evil.history'],
        ['KV_lull-hosts', '$KV.lull-hosts.red', '$KV.lull-hosts.evil'],
      ] as const) {
        // What came before it is stored by then.
        await evil.request(own, 'x')
        await lastOf(stream, subject, data => data !== '')
        expect(await lastOf(stream, subject, () => true)).toMatch(/^[\w{]/)
      }
    })

    test('a viewer that opens pipes without end keeps no other one out', async () => {
      for (let n = 0; n < 1000; n++) spy.publish('lull.red.read.spy', '', { reply: tv.inbox() })
      await spy.flush()
      expect(await askRed(tv.connection, 'tv')).toContain('"pipe"')
    })
  },
)
