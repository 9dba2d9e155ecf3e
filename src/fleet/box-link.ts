/** One connection to a box, kept: HTTP/2 carries requests over it, whatever reaches the box. */
import { once } from 'node:events'
import http2 from 'node:http2'
import { type Duplex, PassThrough, pipeline } from 'node:stream'
import type { Transport, TransportAnswer, TransportRequest } from '../connect/remote/transport.ts'
import type { Clock } from '../core/clock.ts'
import { LullError } from '../core/lull-error.ts'
import type { Instant } from '../core/state.ts'
import { untilAborted } from '../core/until-aborted.ts'
import { type BoxGreeting, beforeHeader, lateMark } from './box-greeting.ts'

/** A box that can't be connected to is not tried again at once. ms */
const againMs = 1000
/** A clock that was set, or a machine that slept. ms */
const sleptMs = 2000
/** Why it ended is known soon after its end. ms */
const lastWordsMs = 1000

/** A way to the box that has been tried, and its end. */
export type BegunWay = {
  /** @throws {LullError} HOST_GONE where nothing answers, or a lull that this one does not understand */
  greeting(): Promise<BoxGreeting>
  /** What came from the box is read from here on. */
  pipe(): Duplex
  /** Called when anything comes. */
  onHeard(call: () => void): void
  /** Resolves with why it ended. */
  readonly ended: Promise<string>
  end(): void
  /** At the end of this program: nothing of it holds that up any more. */
  leave(): void
}

type Connection = {
  readonly session: http2.ClientHttp2Session
  /** Below the session: destroyed, it ends it. */
  readonly pipe: Duplex
  readonly greeting: BoxGreeting
  /** When the greeting came. */
  readonly at: Instant
  readonly wall: number
  readonly way: BegunWay
  why(): Promise<string>
}

export type BoxLink = {
  readonly transport: Transport
  /** Connects, where it is not connected. @throws {LullError} HOST_GONE with why the box can't be asked */
  open(): Promise<Pick<Connection, 'greeting' | 'wall'>>
  isUp(): boolean
  /** Why the last connection ended. */
  whyDown(): Promise<string>
  /** When anything came from it; undefined before that. */
  heardAt(): Instant | undefined
  /** Ends a connection that hangs: the next request makes another one. */
  drop(): void
  close(): void
}

/** @param onUp called when a connection stands */
export function boxLink(name: string, begin: () => BegunWay, clock: Clock, onUp: () => void): BoxLink {
  let connecting: Promise<Connection> | undefined
  let up: Connection | undefined
  let failed: { readonly at: Instant; readonly error: unknown } | undefined
  let heardAt: Instant | undefined
  let last: Connection | undefined
  let isClosed = false
  const ways = new Set<BegunWay>()

  async function connect(): Promise<Connection> {
    if (failed && clock.now() - failed.at < againMs) throw failed.error
    const way = begin()
    ways.add(way)
    void way.ended.then(() => ways.delete(way))
    way.onHeard(() => {
      heardAt = clock.now()
    })
    const connection = await connectOver(way, name, clock)
    connection.session.on('close', () => {
      if (up === connection) [up, connecting] = [undefined, undefined]
    })
    last = connection
    up = connection
    heardAt = clock.now()
    onUp()
    return connection
  }

  function open(): Promise<Connection> {
    if (isClosed) throw new LullError('CLOSED', 'this connection was closed')
    connecting ??= connect().catch(error => {
      failed = failed?.error === error ? failed : { at: clock.now(), error }
      connecting = undefined
      throw error
    })
    return connecting
  }

  function drop(): void {
    const before = up
    ;[up, connecting] = [undefined, undefined]
    before?.way.end()
    before?.pipe.destroy()
  }

  return {
    open: async () => open(),
    isUp: () => up !== undefined,
    whyDown: async () => last?.why() ?? `${name}: not connected`,
    heardAt: () => heardAt,
    async transport(request) {
      let connection = await untilAborted(open(), request.signal)
      if (request.patience !== undefined && hasSlept(connection, clock)) {
        drop()
        connection = await untilAborted(open(), request.signal)
      }
      request.signal.throwIfAborted()
      const [asked, begun] = [connection, clock.now()]
      // A box that is silent for as long as somebody waits hangs: the next request goes over another connection.
      request.signal.addEventListener('abort', () => {
        if (up === asked && (heardAt ?? begun) < begun) drop()
      })
      return answerOf(connection, request, clock, drop)
    },
    drop,
    close() {
      isClosed = true
      up?.pipe.destroy()
      for (const way of ways) {
        // One that has not answered yet would hold up this program.
        if (way !== up?.way) way.end()
        way.leave()
      }
    },
  }
}

async function connectOver(way: BegunWay, name: string, clock: Clock): Promise<Connection> {
  const greeting = await way.greeting()
  const pipe = way.pipe()
  const settings = { createConnection: () => pipe, settings: { enablePush: false } }
  const session = http2.connect('http://lull', settings).on('error', () => undefined)
  void way.ended.then(() => pipe.destroy())
  return {
    ...{ session, pipe, greeting, way, at: clock.now(), wall: clock.wall() },
    why: () => inTime(way.ended, clock, `${name}: the connection ended`),
  }
}

/** The clock of the box went on meanwhile: each action would come too late. */
const hasSlept = ({ at, wall }: Connection, clock: Clock): boolean =>
  Math.abs(clock.wall() - wall - (clock.now() - at)) > sleptMs

/** What is known by then. */
function inTime(ended: Promise<string>, clock: Clock, otherwise: string): Promise<string> {
  return new Promise(resolve => {
    const timer = clock.at(clock.now() + lastWordsMs, () => resolve(otherwise))
    void ended.then(resolve).then(timer.cancel)
  })
}

/** How a request goes over the connection. An action says by when, on the clock of the box, it comes too late. */
function answerOf(
  { session, pipe, greeting, at, why }: Connection,
  { method, url, headers, body, patience, signal }: TransportRequest,
  clock: Clock,
  onLate: () => void,
): Promise<TransportAnswer> {
  const before =
    patience === undefined ? {} : { [beforeHeader]: `${greeting.now + (clock.now() - at) + patience}` }
  const cut = async (error: unknown) => (pipe.destroyed && !signal.aborted ? new Error(await why()) : error)
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = { ...headers, ...before, ...length, ':method': method, ':path': url, host: 'lull' }
    const stream = session.request(sent, { signal, endStream: body === undefined })
    // Read from the first: what a stream holds that has closed meanwhile is lost.
    const pieces = new PassThrough({ encoding: 'utf8' })
    pipeline(stream, pieces, error => {
      if (error) void cut(error).then(reject)
    })
    const closed = once(stream, 'close')
    closed.then(
      () => cut(new Error('the connection ended')).then(reject),
      () => undefined,
    )
    // Where the connection is cut, Node ends the stream as if it were whole: its code tells.
    const checkWhole = async (): Promise<void> => {
      await closed
      if (stream.rstCode !== 0 || stream.aborted) throw new Error('the connection ended')
    }
    stream.on('response', answered => {
      if (answered[beforeHeader] === lateMark) onLate()
      resolve({ status: Number(answered[':status']), pieces: orElse(pieces, checkWhole, cut) })
    })
    if (body !== undefined) stream.end(body)
  })
}

/** Its error is another one. @param check of what has ended; throws */
async function* orElse(
  pieces: AsyncIterable<string>,
  check: () => Promise<void>,
  other: (error: unknown) => Promise<unknown>,
): AsyncIterable<string> {
  try {
    yield* pieces
    await check()
  } catch (error) {
    throw await other(error)
  }
}
