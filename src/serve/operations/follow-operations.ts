/** What the API answers later: a wait, once it is over, and the streams of events and of sessions. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import { LullError } from '../../core/lull-error.ts'
import type { Instant } from '../../core/state.ts'
import { changeMessage, protocol } from '../../host/messages.ts'
import { homeFolder } from '../../sessions/caller-context.ts'
import type { LiveChange, LiveSession } from '../../sessions/session-source.ts'
import { typedInto } from '../../sessions/typed-file.ts'
import { doneJson } from '../../sessions/wait/done-json.ts'
import { goals } from '../../sessions/wait/wait-step.ts'
import { outcomeShape } from '../../shapes/api-shapes.ts'
import { epochAt, messageOf, withIsoTimes } from '../../shapes/wire-instants.ts'
import type { ApiPorts } from '../api-ports.ts'
import { type StreamPorts, streamEvents } from '../streams/event-stream.ts'
import { eventKinds } from '../streams/kept-events.ts'
import { beatMs, liveLine, streamLive } from '../streams/live-stream.ts'
import { linesMedia } from '../streams/stage-lines.ts'
import type { Token } from '../tokens.ts'
import { type ApiContext, type ApiEnv, addOperation, flag, listOf, several } from './operation.ts'

export function addFollowOperations(app: OpenAPIHono<ApiEnv>, ports: ApiPorts): void {
  addWait(app, ports)
  addEvents(app, ports)
  addLive(app, ports)
}

/** s: a client, or a proxy before it, gives up on longer ones. */
const mostWait = 600

function addWait(app: OpenAPIHono<ApiEnv>, { lull, clock, open }: ApiPorts): void {
  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/wait', operationId: 'wait' },
      summary: 'Answers once the sessions are in a state, or it is known why they will not be',
      query: z.object({
        session: several.describe(
          'one or several; without one, any session that is there or comes (needs any)',
        ),
        for: z
          .union([z.enum(goals), z.array(z.enum(goals))])
          .optional()
          .describe('default idle'),
        next: flag.describe('true: only a turn that begins from now on counts'),
        any: flag.describe('true: one of the sessions is enough'),
        appear: flag.describe('true: a session that is not there yet is waited for'),
        held: z.coerce.number().min(0).max(3600).optional().describe('seconds that the state must have held'),
        timeout: z.coerce
          .number()
          .min(0)
          .max(mostWait)
          .optional()
          .describe('seconds (default 60); a timeout is a normal answer'),
      }),
      answer: outcomeShape,
    },
    async ({ query, token, signal }) => {
      const named = listOf(query.session)
      if (named.length === 0 && query.any !== 'true')
        throw new LullError(
          'USAGE',
          'session: name one or several, or give any=true for whoever is there or comes',
        )
      const sessions = named.length === 0 ? ['*'] : named
      const { for: until = 'idle', held = 0, timeout = 60 } = query
      const begun = clock.now()
      const { signal: ended, leave } = open.enter('waits', token)
      try {
        const done = await lull.waitFor(sessions, {
          until,
          signal: AbortSignal.any([signal, ended]),
          held: held * 1000,
          timeout: timeout * 1000,
          next: query.next === 'true',
          any: query.any === 'true',
          appear: query.appear === 'true',
        })
        return { elapsed: Math.round(clock.now() - begun) / 1000, ...doneJson(done, clock) }
      } catch (error) {
        throw ended.aborted ? ended.reason : error
      } finally {
        leave()
      }
    },
  )
}

/** A client that takes nothing for so long is let go; it returns with its last id. ms */
const stalledMs = 30_000

/** An answer that goes on until its client has gone, its token is revoked, or `run` is over. */
function openStream(
  c: ApiContext,
  { open }: ApiPorts,
  { token, media }: { readonly token: Token; readonly media: string },
  run: (out: StreamPorts) => Promise<void>,
): Response {
  c.header('content-type', media)
  c.header('x-accel-buffering', 'no')
  // Nobody would read it, and its place would be taken until it stalls.
  if (c.req.method === 'HEAD') return c.body(null)
  const { signal, end, leave } = open.enter('streams', token)
  return stream(c, async out => {
    out.onAbort(end)
    let settle = (): void => undefined
    signal.addEventListener('abort', () => settle())
    const write = (piece: string | Uint8Array): Promise<void> =>
      new Promise(resolve => {
        const stalled = setTimeout(end, stalledMs)
        settle = () => {
          clearTimeout(stalled)
          resolve()
        }
        out.write(piece).then(settle, settle)
      })
    try {
      await run({ write, signal })
    } finally {
      leave()
      // What is still buffered for it is not for it any more.
      if (signal.aborted) c.env.outgoing.destroy()
    }
  })
}

const streamKinds = [...eventKinds, 'notice'] as const

function addEvents(app: OpenAPIHono<ApiEnv>, ports: ApiPorts): void {
  const { feed, lull, clock, tokens } = ports
  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/events', operationId: 'getEvents' },
      summary:
        'Server-Sent Events: a snapshot, then each change; Last-Event-ID continues where a client stopped',
      query: z.object({
        session: z.string().max(300).optional().describe('only this session'),
        kind: z
          .union([z.enum(streamKinds), z.array(z.enum(streamKinds))])
          .optional()
          .describe('only these kinds; snapshots and beats come in any case'),
        lastEventId: z.string().max(60).optional().describe('as the header Last-Event-ID'),
        beat: z.coerce
          .number()
          .int()
          .min(1)
          .max(60)
          .default(5)
          .describe('seconds between beats: a client that hears none for longer has lost its connection'),
      }),
      answer: z.string(),
      media: 'text/event-stream',
    },
    async ({ query, token }, c) => {
      const session = query.session === undefined ? undefined : (await lull.find(query.session)).id
      const options = {
        ...{ session, wall: clock.wall, isAllowed: () => tokens.isValid(token) },
        lastId: c.req.header('last-event-id') ?? query.lastEventId,
        kinds: typeof query.kind === 'string' ? [query.kind] : (query.kind ?? []),
        beatMs: query.beat * 1000,
      }
      return openStream(c, ports, { token, media: 'text/event-stream' }, out =>
        streamEvents(feed, options, out),
      )
    },
  )
}

const address = z.string().max(4096)

/** For a library on another machine: sessions as the host's own socket tells them. */
function addLive(app: OpenAPIHono<ApiEnv>, ports: ApiPorts): void {
  const { lull, clock, tokens, version } = ports
  const epochNow = () => epochAt(clock.wall(), clock.now())
  const greeting = (from: Instant): object => {
    const words = { protocol, version, now: clock.now(), from, home: homeFolder(), beatMs }
    return messageOf('liveGreeting', words, epochNow())
  }
  const message = (change: LiveChange): object => {
    const epoch = epochNow()
    const sent = changeMessage(change, epoch)
    if (change.type !== 'snapshot') return sent
    return { ...sent, typed: withIsoTimes('typedInstants', typedIn(change.sessions), epoch) }
  }

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/live', operationId: 'getLive' },
      summary: 'Lines of JSON for the library of lull: a greeting, whole sessions, each change',
      query: z.object({
        session: z
          .union([address, z.array(address).max(100)])
          .optional()
          .describe('only what these addresses mean'),
        one: flag.describe('true: each address must mean one session'),
        follow: flag.describe('true: all sessions, then each change; empty lines are beats'),
      }),
      answer: z.string(),
      media: linesMedia,
    },
    async ({ query: { session, one, follow }, token }, c) => {
      if (follow === 'true')
        return openStream(c, ports, { token, media: linesMedia }, async out => {
          const from = clock.now()
          const changes = await ports.changes()
          const isAllowed = () => tokens.isValid(token)
          return streamLive(changes, from, { greeting, isAllowed, message }, out)
        })
      const addresses = session === undefined ? undefined : [session].flat()
      const sessions =
        one === 'true' && addresses
          ? await Promise.all(addresses.map(one => lull.find(one)))
          : await lull.sessions(addresses)
      const text = liveLine(greeting(clock.now())) + liveLine(message({ type: 'snapshot', sessions }))
      return c.body(text, 200, { 'content-type': linesMedia })
    },
  )
}

/** By session id. */
function typedIn(sessions: readonly LiveSession[]): Record<string, Instant> {
  const typedOf = typedInto()
  return Object.fromEntries(
    sessions.flatMap(live => {
      const at = typedOf(live)?.at
      return at === undefined ? [] : [[live.id, at]]
    }),
  )
}
