/** Clients of a real NATS server that hold a valid key of a fleet, and mean ill: what they reach of others. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { connect, headers, type NatsConnection, nkeyAuthenticator, nkeys } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { batchText } from '../../src/fleet/history/batch.ts'
import { openHistoryStream } from '../../src/fleet/history/history-stream.ts'
import { inboxOf } from '../../src/fleet/nats/fleet-keys.ts'
import { connectHub, type Hub } from '../../src/fleet/nats/hub.ts'
import { histories, historySubject, noteSubject, notes } from '../../src/fleet/nats/subjects.ts'
import { lull, type Run, temporaryFolder } from '../support/lull.ts'
import { natsHub, oldestAndNewest } from '../support/nats-hub.ts'
import { ownPlaces } from '../support/running.ts'
import { until } from '../support/until.ts'

const tried = oldestAndNewest()

describe.runIf(tried.length > 0)('a hostile key of a fleet', () => {
  describe.for(tried)('nats-server $version', ({ file }) => {
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
    const own = { past: historySubject('evil'), note: noteSubject('evil') }
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
      hub = await natsHub(path.join(dir, 'fleet.conf'), file)
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

    test('what the server itself writes for who asks it is of no host: its copies and its replies', async () => {
      const entry = { id: 1, at: Date.now(), kind: 'session.state', session: 'abcd1234', agent: 'claude' }
      const forged = { ...entry, data: { state: 'idle', turn: 1, name: 'forged' } }
      evil.publish(own.past, batchText({ store: 's', wall: Date.now(), entries: [forged] }))
      evil.publish(own.note, 'left')
      await lastOf(histories.name, own.past, data => data.includes('forged'))
      await lastOf(notes.name, own.note, data => data === 'left')
      const copy = (stream: string, subject: string, reply: string): void =>
        spy.publish(`$JS.API.DIRECT.GET.${stream}.${subject}`, '', { reply })
      copy(histories.name, own.past, historySubject('red'))
      copy(notes.name, own.note, noteSubject('red'))
      spy.publish(`$JS.API.CONSUMER.INFO.${notes.name}.none`, '', { reply: noteSubject('nobody') })
      await lastOf(histories.name, historySubject('red'), data => data.includes('forged'))
      await lastOf(notes.name, noteSubject('red'), data => data === 'left')
      await lastOf(notes.name, noteSubject('nobody'), data => data !== '')
      const { stdout } = await on('tv', 'history', '--fleet', '--json')
      expect(stdout).toContain('abcd1234@evil')
      expect(stdout).not.toContain('abcd1234@red')
      expect([...(await tv.hosts()).keys()]).not.toContain('nobody')
      // No viewer lost it that had it in its list.
      await tv.join('red')
    })

    /** What red says to who asks it. */
    const askRed = async (by: NatsConnection, who: string): Promise<string> =>
      (await by.request(`lull.red.read.${who}`, '', { timeout: 5000 })).string()

    test('a host answers a viewer in an inbox alone, and writes nothing of its own for him', async () => {
      for (const reply of [historySubject('red'), noteSubject('red')])
        spy.publish('lull.red.read.spy', '', { reply })
      expect(await askRed(spy, 'spy')).toContain('"pipe"')
      for (const [{ name, subject }, to] of [
        [histories, own.past],
        [notes, own.note],
      ] as const) {
        // What came before it is stored by then.
        evil.publish(to, 'asked')
        await lastOf(name, to, data => data === 'asked')
        expect(await lastOf(name, subject('red'), () => true)).toMatch(/^[\w{]/)
      }
    })

    /** What the streams hold of red: its past, and its note. */
    async function ofRed() {
      const past: string[] = []
      const stream = await openHistoryStream(tv)
      await stream.read(
        0,
        () => undefined,
        ({ host, text }) => void (host === 'red' && past.push(text)),
      )
      return { past, note: await lastOf(notes.name, noteSubject('red'), () => true) }
    }

    test('the key of a host hides no other one, and takes nothing from its past, nor any room', async () => {
      const before = await ofRed()
      expect(before.past).not.toEqual([])
      const streams = [histories, notes]
      const requests = [
        '$JS.API.INFO',
        ...streams.flatMap(({ name, subject }) => [
          `$JS.API.STREAM.INFO.${name}`,
          `$JS.API.DIRECT.GET.${name}.${subject('evil')}`,
        ]),
      ]
      const targets = streams.flatMap(({ name, subject }) => [
        subject('red'),
        // What says nothing of how much means all.
        ...['PURGE', 'DELETE'].map(what => `$JS.API.STREAM.${what}.${name}`),
      ])
      const owns = Object.values(own)
      for (const reply of targets) for (const to of [...owns, ...requests]) evil.publish(to, '{}', { reply })
      // Headers by which newer servers write elsewhere, or take away.
      for (const [header, value] of [
        ...['all', 'sub'].map(what => ['Nats-Rollup', what] as const),
        ...streams.map(({ subject }) => ['Nats-Trace-Dest', subject('red')] as const),
      ])
        for (const to of owns) {
          const asking = headers()
          asking.set(header, value)
          evil.publish(to, '{}', { headers: asking })
        }
      // What the server wrote for that is there by then.
      for (const end of ['end 1', 'end 2'])
        for (const { name, subject } of streams) {
          evil.publish(subject('evil'), end)
          await lastOf(name, subject('evil'), data => data === end)
        }
      const { past, note } = await ofRed()
      expect(past.slice(0, before.past.length)).toEqual(before.past)
      for (const text of past.slice(before.past.length)) expect(text).toContain('"store"')
      expect(note).toMatch(/^\d{4}-/)
      expect([...(await tv.hosts()).keys()]).toContain('red')
    })

    test('a viewer that opens pipes without end keeps no other one out', async () => {
      for (let n = 0; n < 1000; n++) spy.publish('lull.red.read.spy', '', { reply: tv.inbox() })
      await spy.flush()
      expect(await askRed(tv.connection, 'tv')).toContain('"pipe"')
    })
  })
})
