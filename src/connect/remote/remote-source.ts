/** The sessions of a host, over HTTP: the same interface as over its socket. */
import { createAsyncQueue } from '../../core/async-queue.ts'
import type { Clock } from '../../core/clock.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import type { Instant } from '../../core/state.ts'
import { oneLine } from '../../core/text/printable.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import { protocol } from '../../host/messages.ts'
import { longestAnswer } from '../../os/socket/socket-request.ts'
import type { LiveChange, LiveSession, SessionSource } from '../../sessions/session-source.ts'
import { isShaped } from '../../shapes/wire.ts'
import type { Wire } from '../../shapes/wire-shapes.ts'
import type { ApiClient, RetryOptions } from './api-client.ts'
import { clockOffset, shiftInstants } from './remote-clock.ts'

type Greeting = Wire['liveGreeting']

/** A host that sends nothing for so many beats is away. */
const mostBeats = 4
/** For the greeting. ms */
const greetingMs = 10_000
/** So many characters wait to be read: a reader that is slower gets another snapshot instead. */
const mostWaiting = longestAnswer

export type RemoteSource = SessionSource & {
  /** The sessions that these addresses mean on the host's machine; with `one` each means one. */
  at(addresses: readonly string[], one: boolean, away?: RetryOptions): Promise<readonly LiveSession[]>
  /** Every change from the call on, until the signal. */
  follow(signal: AbortSignal): Promise<AsyncIterableIterator<LiveChange>>
  /** Of the last snapshot: when lull last typed into a session's terminal. */
  typedAt(session: LiveSession): Instant | undefined
  /** The home folder there; known once it has answered. */
  home(): string
}

export function remoteSource(api: ApiClient, clock: Clock): RemoteSource {
  const offset = clockOffset()
  let home = '/'
  let typed: Readonly<Record<string, number>> = {}

  /** @param asked the instant at which the request was sent */
  function greet(line: string, asked: Instant): Greeting {
    const greeting = parseJson(line)
    if (!isShaped('liveGreeting', greeting))
      throw new LullError('HOST_GONE', `${api.who} does not speak as a host of lull does`)
    if (greeting.protocol !== protocol)
      throw new LullError(
        'HOST_GONE',
        `${api.who} is lull ${oneLine(greeting.version, 40)}, which speaks protocol ${greeting.protocol}; this lull speaks ${protocol}: update the older one`,
      )
    offset.exchange(greeting.now, asked, clock.now())
    home = greeting.home
    return greeting
  }

  function readChange(line: string): LiveChange {
    const change = parseJson(line)
    if (!isRecord(change) || !isShaped('change', change))
      throw new LullError('HOST_GONE', `${api.who} sent a line that is no change`)
    if (change.type === 'snapshot') {
      const { typed: sent } = change as { readonly typed?: unknown }
      typed = isShaped('typedInstants', sent) ? sent : {}
    }
    return shiftInstants<LiveChange>(change, offset.get())
  }

  async function snapshot(query: URLSearchParams, away: RetryOptions = {}): Promise<readonly LiveSession[]> {
    let asked = clock.now()
    const onTry = () => {
      asked = clock.now()
    }
    const text = await api.read(`/v1/live?${query}`, { onTry, away }).catch(olderHost)
    const [first = '', second = ''] = text.split('\n')
    greet(first, asked)
    const change = readSnapshot(second)
    return shiftInstants(api.understood(change), offset.get())
  }

  function olderHost(error: unknown): never {
    if (!isLullError(error, 'NO_PATH')) throw error
    throw new LullError('HOST_GONE', `${api.who} is of an older lull, without /v1/live: update it`)
  }

  async function follow(signal: AbortSignal): Promise<AsyncIterableIterator<LiveChange>> {
    const stop = new AbortController()
    const asked = clock.now()
    let silence = clock.at(asked + greetingMs, () => stop.abort(new Error('no greeting came')))
    const ends = AbortSignal.any([signal, stop.signal])
    const lines = await api.open('/v1/live?follow=true', ends).then(
      ({ pieces }) => linesOf(pieces)[Symbol.asyncIterator](),
      error => {
        silence.cancel()
        return olderHost(error)
      },
    )
    const beats = (beatMs: number) => {
      silence.cancel()
      silence = clock.at(clock.now() + mostBeats * beatMs, () => stop.abort(new Error('its beats stopped')))
    }
    let beatMs = 0
    try {
      const first = await lines.next()
      if (first.done) throw new Error('it ended before its greeting')
      beatMs = greet(first.value, asked).beatMs
    } catch (error) {
      silence.cancel()
      stop.abort()
      throw isLullError(error) ? error : api.gone(error as Error)
    }
    const changes = waitingChanges(() => stop.abort())
    void (async () => {
      for (beats(beatMs); ; beats(beatMs)) {
        const line = await lines.next()
        if (line.done) return changes.end()
        if (line.value !== '' && !changes.push(readChange(line.value), line.value.length))
          return changes.end()
      }
    })()
      .catch(error => changes.end(isLullError(error) ? error : undefined))
      .finally(() => {
        silence.cancel()
        stop.abort()
      })
    return changes.values
  }

  return {
    via: 'host',
    list: () => snapshot(new URLSearchParams()),
    at(addresses, one, away) {
      const query = new URLSearchParams({ one: `${one}` })
      for (const address of addresses) query.append('session', address)
      return snapshot(query, away)
    },
    changes: () => follow(new AbortController().signal),
    follow,
    typedAt: ({ id }) => {
      const at = Object.hasOwn(typed, id) ? typed[id] : undefined
      return at === undefined ? undefined : at + offset.get()
    },
    home: () => home,
    events: async () => {
      throw new LullError('USAGE', 'events: raw input of sessions is not served over HTTP; use changes()')
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

function readSnapshot(line: string): readonly LiveSession[] | undefined {
  const change = parseJson(line)
  return isShaped('change', change) && change.type === 'snapshot' ? change.sessions : undefined
}

/** Whole lines: what a cut connection leaves of one is dropped. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = ''
  for await (const piece of pieces) {
    rest += piece
    if (rest.length > longestAnswer) throw new Error('a line is too long')
    if (!piece.includes('\n')) continue
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Changes for one reader, who gets those that were read before an error, and then the error. */
function waitingChanges(onLeave: () => void) {
  const queue = createAsyncQueue<{ readonly change: LiveChange; readonly length: number }>(Infinity, onLeave)
  let waiting = 0
  let failure: LullError | undefined
  const values: AsyncIterableIterator<LiveChange> = {
    async next() {
      const next = await queue.values.next()
      if (!next.done) {
        waiting -= next.value.length
        return { value: next.value.change, done: false }
      }
      if (failure) throw failure
      return { value: undefined, done: true }
    },
    async return() {
      failure = undefined
      await queue.values.return?.()
      return { value: undefined, done: true }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
  return {
    values,
    /** @returns whether there was room for it */
    push(change: LiveChange, length: number): boolean {
      if (waiting + length > mostWaiting) return false
      waiting += length
      queue.push({ change, length })
      return true
    },
    end(error?: LullError): void {
      failure = error
      queue.end()
    },
  }
}
