/** One connection to a box, kept: ssh runs `lull host stdio` there, and HTTP/2 carries requests over its stdin and stdout. */
import type { ChildProcess } from 'node:child_process'
import http2 from 'node:http2'
import { type Duplex, PassThrough, pipeline } from 'node:stream'
import type { Transport, TransportAnswer, TransportRequest } from '../connect/remote/transport.ts'
import type { Clock } from '../core/clock.ts'
import { LullError } from '../core/lull-error.ts'
import type { Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import { untilAborted } from '../core/until-aborted.ts'
import { protocol } from '../host/messages.ts'
import { bothWays } from '../os/both-ways.ts'
import { signalGroup, spawnGroup } from '../os/spawn/process-group.ts'
import type { Box } from './read-hosts.ts'
import { boxGone, isOlder, type SshEnd, sshWords, whyEnded } from './ssh-words.ts'
import { beforeHeader, greetingReader, type StdioGreeting } from './stdio-greeting.ts'

/** Beyond the `ConnectTimeout` of ssh: Node begins slowly on a busy box. ms */
const greetingMs = 20_000
/** A box that can't be connected to is not tried again at once. ms */
const againMs = 1000
/** ms */
const lastWordsMs = 1000
/** What ssh writes last is what went wrong. Characters. */
const mostStderr = 4000

type Connection = {
  readonly session: http2.ClientHttp2Session
  /** Below the session: destroyed, it ends it. */
  readonly pipe: Duplex
  readonly greeting: StdioGreeting
  /** When the greeting came. */
  readonly at: Instant
  readonly wall: number
  readonly child: ChildProcess
  /** Why it ended, as soon as ssh has reported it. */
  why(): Promise<string>
}

export type SshLink = {
  readonly transport: Transport
  /** Connects, where it is not connected. @throws {LullError} HOST_GONE with why the box can't be asked */
  open(): Promise<Connection>
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
export function sshLink(box: Box, clock: Clock, onUp: () => void): SshLink {
  let connecting: Promise<Connection> | undefined
  let up: Connection | undefined
  let failed: { readonly at: Instant; readonly error: unknown } | undefined
  let heardAt: Instant | undefined
  let last: Connection | undefined
  let isClosed = false
  const children = new Set<ChildProcess>()

  async function connect(): Promise<Connection> {
    if (failed && clock.now() - failed.at < againMs) throw failed.error
    const begun = begin(box)
    children.add(begun.child)
    void begun.ended.then(() => children.delete(begun.child))
    begun.child.stdout?.on('data', () => {
      heardAt = clock.now()
    })
    const greeting = await greetingOf(box, begun, clock)
    const { session, pipe } = begun.http()
    const ended = begun.ended.then(how => whyEnded(box, how, true))
    void ended.then(() => pipe.destroy())
    const connection: Connection = {
      ...{ session, pipe, greeting, at: clock.now(), wall: clock.wall(), child: begun.child },
      why: () => inTime(ended, clock, `${box.name}: the connection ended`),
    }
    session.on('close', () => {
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

  return {
    open: async () => open(),
    isUp: () => up !== undefined,
    whyDown: async () => last?.why() ?? `${box.name}: not connected`,
    heardAt: () => heardAt,
    async transport(request) {
      const connection = await untilAborted(open(), request.signal)
      request.signal.throwIfAborted()
      return answerOf(connection, request, clock)
    },
    drop() {
      if (up) end(up.child)
      up?.pipe.destroy()
    },
    close() {
      isClosed = true
      up?.pipe.destroy()
      for (const child of children) {
        // One that has not answered yet would hold up this program.
        if (child !== up?.child) end(child)
        leave(child)
      }
    },
  }
}

/** ssh ends soon after its connection; what is known by then. */
function inTime(ended: Promise<string>, clock: Clock, otherwise: string): Promise<string> {
  return new Promise(resolve => {
    const timer = clock.at(clock.now() + lastWordsMs, () => resolve(otherwise))
    void ended.then(resolve).then(timer.cancel)
  })
}

/** A connection of ssh that others share may outlive this program: it is left to end by itself. */
function leave(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
}

const end = ({ pid }: ChildProcess): void => {
  if (pid !== undefined) signalGroup(pid, 'SIGTERM')
}

/** Starts ssh. In a group of its own: it can ask nobody at the terminal, and Ctrl+C is for lull. */
function begin(box: Box) {
  const child = spawnGroup(sshWords(box), { stdio: ['pipe', 'pipe', 'pipe'] })
  const { stdin, stdout } = child as {
    stdin: NonNullable<ChildProcess['stdin']>
    stdout: NonNullable<ChildProcess['stdout']>
  }
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    stderr = (stderr + piece).slice(-mostStderr)
  })
  for (const stream of [stdin, stdout, child.stderr]) stream?.on('error', () => undefined)
  const ended = new Promise<SshEnd>(resolve => {
    child.on('error', error => resolve({ code: null, stderr, error }))
    child.on('close', code => resolve({ code, stderr }))
    // A connection that others share keeps stderr open.
    child.on('exit', code => setTimeout(() => resolve({ code, stderr }), 200).unref())
  })
  return {
    child,
    ended,
    greeted: (clock: Clock) =>
      new Promise<StdioGreeting>((resolve, reject) => {
        const reader = greetingReader()
        const late = clock.at(clock.now() + greetingMs, () =>
          stop(boxGone(`${box.name} did not answer in ${greetingMs / 1000} s: ssh, or lull there, hangs`)),
        )
        const stop = (error: Error): void => {
          late.cancel()
          stdout.off('data', take)
          reject(error)
        }
        function take(piece: Buffer): void {
          try {
            const found = reader.take(piece)
            if (!found) return
            late.cancel()
            stdout.off('data', take).pause()
            if (found.rest.length > 0) stdout.unshift(found.rest)
            resolve(found.greeting)
          } catch (error) {
            stop(boxGone(`${box.name}: ${(error as Error).message}`))
          }
        }
        stdout.on('data', take)
        void ended.then(how => stop(boxGone(whyEnded(box, how, false))))
      }),
    http() {
      const pipe = bothWays(stdout, stdin)
      const settings = { createConnection: () => pipe, settings: { enablePush: false } }
      return { pipe, session: http2.connect('http://lull', settings).on('error', () => undefined) }
    },
  }
}

/** @throws {LullError} HOST_GONE where there is none, or of a lull that this one does not understand */
async function greetingOf(
  box: Box,
  { child, ended, greeted }: ReturnType<typeof begin>,
  clock: Clock,
): Promise<StdioGreeting> {
  const greeting = await greeted(clock).catch(async error => {
    end(child)
    throw await older(box, error, ended)
  })
  if (greeting.protocol === protocol) return greeting
  end(child)
  throw boxGone(
    `${box.name} has lull ${oneLine(greeting.version, 40)}, which speaks protocol ${greeting.protocol}; this lull speaks ${protocol}: update the older one`,
  )
}

/** A lull that does not know `host stdio` is asked for its version. */
async function older(box: Box, error: unknown, ended: Promise<SshEnd>): Promise<unknown> {
  const how = await Promise.race([ended, undefined])
  if (!how || !isOlder(how.code, how.stderr)) return error
  const child = spawnGroup(sshWords(box, '--version'), { stdio: ['ignore', 'pipe', 'ignore'] })
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    printed = (printed + piece).slice(-mostStderr)
  })
  await new Promise(resolve => {
    child.on('error', resolve)
    child.on('close', resolve)
    setTimeout(() => end(child), greetingMs).unref()
  })
  const version = printed.trim().split('\n').at(-1) ?? ''
  return !/^\d+\.\d+\.\d[\w.-]*$/.test(version)
    ? error
    : boxGone(
        `${box.name} has lull ${oneLine(version, 40)}, which has no \`lull host stdio\`: update it there`,
      )
}

/** How a request goes over the connection. An action says by when, on the clock of the box, it comes too late. */
function answerOf(
  { session, pipe, greeting, at, why }: Connection,
  { method, url, headers, body, patience, signal }: TransportRequest,
  clock: Clock,
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
    stream.on('close', () => void cut(new Error('the connection ended')).then(reject))
    stream.on('response', answered =>
      resolve({ status: Number(answered[':status']), pieces: orElse(pieces, cut) }),
    )
    if (body !== undefined) stream.end(body)
  })
}

/** Its error is another one. */
async function* orElse(
  pieces: AsyncIterable<string>,
  other: (error: unknown) => Promise<unknown>,
): AsyncIterable<string> {
  try {
    yield* pieces
  } catch (error) {
    throw await other(error)
  }
}
