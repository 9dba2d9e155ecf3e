/** The NATS server of a fleet: the connection to it, and the hosts that have joined. */
import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
  nkeys,
  PermissionViolationError,
} from '@nats-io/transport-node'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { readPlainText } from '../../os/file/plain-file.ts'
import { inboxOf } from './fleet-keys.ts'
import type { FleetSettings } from './fleet-settings.ts'
import { streamInfo } from './fleet-streams.ts'
import { type HostChange, hostChanges, leftText, noteText } from './host-names.ts'
import { type HubLine, publishStored } from './publish-stored.ts'
import { histories, notes } from './subjects.ts'

/** ms */
const connectMs = 5000

export type Hub = AsyncDisposable &
  HubLine & {
    /** By which the hosts know who asks. */
    readonly who: string
    /** The server lets nobody in without a key. */
    readonly needsKey: boolean
    /** All that have joined, here or away, by name: how long ago each said that it is there, ms. */
    hosts(): Promise<ReadonlyMap<string, number>>
    /** As `hosts`, then each that joins or is forgotten, until the signal, or until the server is away. @throws {LullError} HOST_GONE */
    hostChanges(signal: AbortSignal): AsyncIterable<HostChange | 'whole'>
    join(name: string): Promise<void>
    forget(name: string): Promise<void>
    close(): Promise<void>
  }

/** Connects; from then on it comes back by itself. @throws {LullError} HOST_GONE where the server does not answer, or refuses */
export async function connectHub({
  url,
  creds,
  who,
}: Pick<FleetSettings, 'url' | 'creds' | 'who'>): Promise<Hub> {
  const more: Authenticated = creds === undefined ? {} : authenticated(readCreds(creds))
  const connection = await connect({
    ...{ servers: url, name: 'lull', timeout: connectMs, maxReconnectAttempts: -1, reconnectTimeWait: 1000 },
    ...(url.startsWith('tls://') ? { tls: namedAs(new URL(url).hostname) } : {}),
    ...more,
  }).catch(error => {
    throw hubGone(url, error as Error)
  })
  const events = new EventEmitter().setMaxListeners(0)
  let isUp = true
  events.on('disconnect', () => {
    isUp = false
  })
  events.on('reconnect', () => {
    isUp = true
  })
  void tellStatus(connection, events)
  // Whoever leaves off listening leaves nothing behind, as he would at a promise.
  void connection.closed().then(() => events.emit('closed'))
  async function* changes(signal: AbortSignal) {
    const away = new AbortController()
    const end = (): void => away.abort()
    events.on('disconnect', end)
    try {
      await Promise.all([notes, histories].map(stream => streamInfo(connection, stream)))
      yield* hostChanges(connection, inbox(), AbortSignal.any([signal, away.signal]))
    } catch (error) {
      throw isLullError(error) ? error : hubGone(url, error as Error)
    } finally {
      events.off('disconnect', end)
    }
  }
  // Not the client's own: those count up, so that a host which is asked could answer in the place of the next one.
  const inbox = (): string => `${more.inboxPrefix ?? '_INBOX'}.${randomBytes(16).toString('hex')}`
  const close = async (): Promise<void> => connection.close()
  const line: HubLine = {
    ...{ connection, inbox },
    isUp: () => isUp && !connection.isClosed(),
    on(event, call) {
      events.on(event, call)
      return () => events.off(event, call)
    },
  }
  async function note(name: string, text: string): Promise<void> {
    try {
      await publishStored(line, notes, name, text)
    } catch (error) {
      throw hubGone(url, error as Error)
    }
  }
  return {
    ...line,
    who,
    needsKey: connection.info?.auth_required === true,
    hosts: () => hostsNow(changes),
    hostChanges: changes,
    join: name => note(name, noteText()),
    forget: name => note(name, leftText),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function tellStatus(connection: NatsConnection, events: EventEmitter): Promise<void> {
  for await (const { type, ...event } of connection.status()) {
    const { error } = event as { readonly error?: unknown }
    if (type === 'disconnect' || type === 'reconnect') events.emit(type)
    else if (type === 'error' && error instanceof PermissionViolationError)
      events.emit(`refused ${error.subject}`)
  }
}

async function hostsNow(changes: Hub['hostChanges']): ReturnType<Hub['hosts']> {
  const found: [string, number][] = []
  for await (const change of changes(new AbortController().signal)) {
    if (change === 'whole') break
    if (change.isThere) found.push([change.name, change.ago])
  }
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The client takes a server without TLS whatever its URL says, and one that it reaches by an address for `localhost`. */
const namedAs = (host: string): object => ({
  checkServerIdentity: (_: string, certificate: PeerCertificate) =>
    checkServerIdentity(host.replace(/[[\]]/g, ''), certificate),
})

type Authenticated = Pick<ConnectionOptions, 'authenticator' | 'inboxPrefix'>

/** A key of `lull fleet keys`, or credentials as the server's own tools write them. */
function authenticated(text: string): Authenticated {
  const key = keyIn(text)
  if (key === undefined) return { authenticator: credsAuthenticator(new TextEncoder().encode(text.trim())) }
  const bytes = new TextEncoder().encode(key)
  return {
    authenticator: nkeyAuthenticator(bytes),
    inboxPrefix: inboxOf(nkeys.fromSeed(bytes).getPublicKey()),
  }
}

/** Credentials of NATS hold a key as well, behind what says whose. */
const keyIn = (text: string): string | undefined => /^(?:#.*\n)?(SU[A-Z2-7]+)\s*$/.exec(text)?.[1]

/** The machine that a key of `lull fleet keys` was made for. @throws {LullError} USAGE where the file can't be read */
export function ownerOfKey(file: string): string | undefined {
  const text = readCreds(file)
  return keyIn(text) === undefined ? undefined : /^# ([\w-]+)$/m.exec(text)?.[1]
}

const older = 'or the keys there are of an older lull (lull fleet keys init)'

/** Why a machine that is shown sees no other one. */
export const looksNot = `this key does not look at the others, ${older}`

/** What a person can do about what the server, or its client, says. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/authorization violation/i, '; a key is missing (--creds), unknown there, or revoked'],
  [/unable to parse credentials/, '; --creds takes a .nk of lull fleet keys, or a .creds'],
  [/jetstream is not enabled/, '; add jetstream {} to its configuration'],
  [/: refused$/, `; this key is for another name, or only looks (--view), ${older}`],
  [/permissions violation for publish to "\$JS\.API/i, `; ${looksNot}`],
]

function hubGone(url: string, error: Error): LullError {
  const { code = '' } = (error.cause ?? error) as NodeJS.ErrnoException
  const hint = /SELF_SIGNED|UNABLE_TO_/.test(code)
    ? '; for a private CA, set NODE_EXTRA_CA_CERTS=FILE'
    : (hints.find(([of]) => of.test(error.message))?.[1] ?? '')
  return new LullError(
    'HOST_GONE',
    `the NATS server at ${oneLine(url, 200)}: ${oneLine(error.message, 200)}${hint}`,
  )
}

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
