/** The sessions of a host, over HTTP: the same interface as over its socket. */
import type { Clock } from '../../core/clock.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import type { Instant } from '../../core/state.ts'
import { oneLine } from '../../core/text/printable.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import { protocol, readChangeThere } from '../../host/messages.ts'
import type { LiveChange, LiveSession, SessionSource } from '../../sessions/session-source.ts'
import { isShaped } from '../../shapes/wire.ts'
import { epochIn, messageIn, withInstants } from '../../shapes/wire-instants.ts'
import type { Wire } from '../../shapes/wire-shapes.ts'
import type { ApiClient, RetryOptions } from './api-client.ts'
import { changesOn, linesOf } from './live-lines.ts'
import { clockOffset } from './remote-clock.ts'

type Greeting = Wire['liveGreeting']

/** For the greeting. ms */
const greetingMs = 10_000

type RemoteChanges = {
  readonly changes: AsyncIterableIterator<LiveChange>
  /** What began after this instant comes as a change. */
  readonly registeredAt: Instant
}

export type RemoteSource = SessionSource & {
  /** The sessions that these addresses mean on the host's machine; with `one` each means one. */
  at(addresses: readonly string[], one: boolean, away?: RetryOptions): Promise<readonly LiveSession[]>
  /** Every change from the call on, until the signal. */
  follow(signal: AbortSignal): Promise<RemoteChanges>
  /** Of the last snapshot: when lull last typed into a session's terminal. */
  typedAt(session: LiveSession): Instant | undefined
  /** The home folder there; known once it has answered. */
  home(): string
}

export function remoteSource(api: ApiClient, clock: Clock): RemoteSource {
  const lines = liveReader(api, clock)

  async function snapshot(query: URLSearchParams, away?: RetryOptions): Promise<readonly LiveSession[]> {
    let asked = clock.now()
    const onTry = () => {
      asked = clock.now()
    }
    const text = await api
      .read(`/v1/live?${query}`, { onTry, ...(away ? { away } : {}) })
      .catch(error => olderHost(error, api))
    const [first = '', second = ''] = text.split('\n')
    lines.greet(first, asked)
    return api.understood(lines.sessions(second))
  }

  async function follow(signal: AbortSignal): Promise<RemoteChanges> {
    const stop = new AbortController()
    const asked = clock.now()
    const late = clock.at(asked + greetingMs, () => stop.abort(new Error('no greeting came')))
    try {
      const ends = AbortSignal.any([signal, stop.signal])
      const { pieces } = await api.open('/v1/live?follow=true', ends)
      const received = linesOf(pieces)
      const first = await received.next()
      if (first.done) throw new Error('it ended before its greeting')
      const { beatMs, from } = lines.greet(first.value, asked)
      const ports = { clock, beatMs, read: lines.change, stop: () => stop.abort() }
      return { changes: changesOn(received, ports), registeredAt: lines.here(from) }
    } catch (error) {
      stop.abort()
      throw isLullError(error) ? olderHost(error, api) : api.gone(error as Error)
    } finally {
      late.cancel()
    }
  }

  return {
    via: 'host',
    list: () => snapshot(new URLSearchParams()),
    at(addresses, one, away) {
      const query = new URLSearchParams({ one: `${one}` })
      for (const address of addresses) query.append('session', address)
      return snapshot(query, away)
    },
    changes: async () => (await follow(new AbortController().signal)).changes,
    follow,
    typedAt: lines.typedAt,
    home: lines.home,
    events: async () => {
      throw new LullError('USAGE', 'events: not over HTTP: the API does not serve raw input; use changes()')
    },
    async markSeen(ids) {
      const see = (id: string) => api.act(`/v1/sessions/${encodeURIComponent(id)}/seen`, {})
      for (const id of ids)
        await see(id).catch(error => {
          // As on the own machine: one that is gone need not be seen any more.
          if (!isLullError(error, 'NO_SESSION')) throw error
        })
    },
    close: async () => api.close(),
  }
}

function olderHost(error: unknown, { who }: ApiClient): never {
  if (!isLullError(error, 'NO_PATH')) throw error
  throw new LullError('HOST_GONE', `${who} is of an older lull, without /v1/live: update it`)
}

/** Reads lines of `/v1/live`, and converts their instants to those of this machine. */
function liveReader(api: ApiClient, clock: Clock) {
  const offset = clockOffset()
  const here = (instant: Instant): Instant => instant + offset.get()
  let home = '/'
  let typed: Readonly<Record<string, number>> = {}

  return {
    /**
     * @param asked the instant at which the request was sent
     * @throws {LullError} HOST_GONE where it is no host that this lull understands
     */
    greet(line: string, asked: Instant): Greeting {
      const sent = parseJson(line)
      const greeting = messageIn('liveGreeting', sent)
      // One of another protocol may have another form beside its name.
      const named = isShaped('greeting', { pid: 0, ...(isRecord(sent) ? sent : {}) })
        ? (sent as Greeting)
        : undefined
      if (named && named.protocol !== protocol)
        throw new LullError(
          'HOST_GONE',
          `${api.who} is lull ${oneLine(named.version, 40)}, which speaks protocol ${named.protocol}; this lull speaks ${protocol}: update the older one`,
        )
      if (!isShaped('liveGreeting', greeting))
        throw new LullError('HOST_GONE', `${api.who} does not speak as a host of lull does`)
      offset.exchange(greeting.now, asked, clock.now())
      home = greeting.home
      return greeting
    },
    /** @throws {LullError} HOST_GONE where it is no change */
    change(line: string): LiveChange {
      const sent = parseJson(line)
      const change = readChangeThere(sent, offset.get())
      if (!change) throw new LullError('HOST_GONE', `${api.who} sent a line that is no change`)
      if (change.type === 'snapshot' && isRecord(sent)) {
        const at = withInstants('typedInstants', sent.typed ?? {}, epochIn(sent) ?? 0)
        typed = isShaped('typedInstants', at) ? at : {}
      }
      return change
    },
    /** Of a snapshot; undefined where it is none. */
    sessions(line: string): readonly LiveSession[] | undefined {
      const change = readChangeThere(parseJson(line), offset.get())
      return change?.type === 'snapshot' ? change.sessions : undefined
    },
    typedAt: ({ id }: LiveSession): Instant | undefined =>
      Object.hasOwn(typed, id) ? here(typed[id] as number) : undefined,
    here,
    home: () => home,
  }
}
