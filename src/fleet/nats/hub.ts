/** The NATS server of a fleet: the connection to it, and the hosts that have joined. */
import { EventEmitter } from 'node:events'
import { type KV, Kvm } from '@nats-io/kv'
import {
  type ConnectionOptions,
  connect,
  createInbox,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
  nkeys,
  PermissionViolationError,
} from '@nats-io/transport-node'
import { LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { readPlainText } from '../../os/file/plain-file.ts'
import { inboxOf } from './fleet-keys.ts'
import type { FleetSettings } from './fleet-settings.ts'
import { hostsBucket } from './subjects.ts'

/** ms */
const connectMs = 5000

export type Hub = AsyncDisposable & {
  readonly connection: NatsConnection
  /** The server lets nobody in without a key. */
  readonly needsKey: boolean
  /** A subject on which this connection alone is answered. */
  inbox(): string
  /** The server answers now. */
  isUp(): boolean
  /**
   * Calls at each such event, until what it returns is called: the server is away, is back, lets this machine in no more, or refuses what this machine publishes on a
   * subject.
   */
  on(event: HubEvent, call: () => void): () => void
  /** The names of all that have joined, here or away. */
  hosts(): Promise<readonly string[]>
  join(name: string): Promise<void>
  /** @returns whether it was there */
  forget(name: string): Promise<boolean>
  close(): Promise<void>
}

type HubEvent = 'disconnect' | 'reconnect' | 'closed' | `refused ${string}`

/** Connects; from then on it comes back by itself. @throws {LullError} HOST_GONE where the server does not answer, or refuses */
export async function connectHub({ url, creds }: FleetSettings): Promise<Hub> {
  const more: Authenticated = creds === undefined ? {} : authenticated(readCreds(creds))
  const connection = await connect({
    ...{ servers: url, name: 'lull', timeout: connectMs, maxReconnectAttempts: -1, reconnectTimeWait: 1000 },
    ...more,
  }).catch(error => {
    throw hubGone(url, error as Error)
  })
  const events = new EventEmitter().setMaxListeners(0)
  let isUp = true
  void (async () => {
    for await (const { type, ...event } of connection.status()) {
      const { error } = event as { readonly error?: unknown }
      if (type === 'disconnect' || type === 'reconnect') {
        isUp = type === 'reconnect'
        events.emit(type)
      } else if (type === 'error' && error instanceof PermissionViolationError)
        events.emit(`refused ${error.subject}`)
    }
  })()
  // Whoever leaves off listening leaves nothing behind, as he would at a promise.
  void connection.closed().then(() => events.emit('closed'))
  async function ofHosts<T>(ask: (bucket: KV) => Promise<T>): Promise<T> {
    try {
      return await ask(await new Kvm(connection).create(hostsBucket, { history: 1 }))
    } catch (error) {
      throw hubGone(url, error as Error)
    }
  }
  const close = async (): Promise<void> => connection.close()
  return {
    connection,
    needsKey: connection.info?.auth_required === true,
    inbox: () => createInbox(more.inboxPrefix),
    isUp: () => isUp && !connection.isClosed(),
    on(event, call) {
      events.on(event, call)
      return () => events.off(event, call)
    },
    hosts: () =>
      ofHosts(async bucket => {
        const names: string[] = []
        for await (const name of await bucket.keys()) names.push(name)
        return names.sort()
      }),
    async join(name) {
      await ofHosts(bucket => bucket.put(name, new Date().toISOString()))
    },
    forget: name =>
      ofHosts(async bucket => {
        const isThere = (await bucket.get(name)) !== null
        if (isThere) await bucket.delete(name)
        return isThere
      }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

type Authenticated = Pick<ConnectionOptions, 'authenticator' | 'inboxPrefix'>

/** A key of `lull fleet keys`, or credentials as the server's own tools write them. */
function authenticated(text: string): Authenticated {
  const bytes = new TextEncoder().encode(text.trim())
  if (!text.trim().startsWith('SU')) return { authenticator: credsAuthenticator(bytes) }
  return {
    authenticator: nkeyAuthenticator(bytes),
    inboxPrefix: inboxOf(nkeys.fromSeed(bytes).getPublicKey()),
  }
}

const hubGone = (url: string, { message }: Error): LullError =>
  new LullError('HOST_GONE', `the NATS server at ${oneLine(url, 200)}: ${oneLine(message, 200)}`)

function readCreds(file: string): string {
  try {
    return readPlainText(file, { most: 64 * 1024 })
  } catch (error) {
    throw new LullError(
      'USAGE',
      `--creds ${oneLine(file, 200)} can't be read: ${oneLine((error as Error).message, 200)}`,
    )
  }
}
