/**
 * `lull host stdio`: the API for one client, over stdin and stdout, for as long as that is connected. Whoever may run it is this user,
 * so that it asks for no token. It asks the host, if one runs; else this process searches for itself.
 */
import http2 from 'node:http2'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { connect } from '../connect/connect.ts'
import { beforeHeader, stdioGreeting } from '../fleet/stdio-greeting.ts'
import { protocol } from '../host/messages.ts'
import { bothWays } from '../os/both-ways.ts'
import { placesOf } from '../os/file/places.ts'
import { realClock } from '../track/clock.ts'
import { errorBody } from './error-reply.ts'
import { openApi } from './open-api.ts'
import { hashOf, type Token, type TokenStore } from './tokens.ts'

/** The history says that it asked. The hash is always the same: an action that was asked for over another connection is known again. */
const token: Token = { name: 'ssh', scope: 'act', hash: hashOf('lull host stdio'), createdAt: 0 }
const tokens: TokenStore = { find: () => token, isValid: () => true, noteSeen: () => undefined }

/** ms */
const lastActionsMs = 5000
const lastAnswersMs = 300

/** Resolves once the client has gone. */
export async function serveStdio(version: string, input: Readable, output: Writable): Promise<void> {
  const places = placesOf()
  const clock = realClock(true)
  const lull = await connect()
  const startedAt = new Date(clock.wall()).toISOString()
  const api = await openApi({
    ...{ places, clock, version, lull, tokens },
    settings: { port: 0, listen: '127.0.0.1', readOnly: false },
    hosts: new Set(['lull']),
    // Whoever may run lull is let in: no browser asks.
    linkCommand: '',
    changes: async () => lull.changes(),
    status: async () => ({
      ...{ pid: process.pid, version, protocol, startedAt, sessions: (await lull.sessions()).length },
      hooks: { received: 0, refused: 0, unauthorised: 0, unplaced: 0 },
    }),
    // Hooks come to a host.
    receive: () => undefined,
    complain: () => undefined,
  })
  const begun = new Set<Promise<unknown>>()
  const fetch: Parameters<typeof getRequestListener>[0] = (request, env) => {
    const answered = Promise.resolve(api.fetch(request, env))
    begun.add(answered)
    return answered.finally(() => begun.delete(answered))
  }
  // It would reset the stream of a request that was read to its end, and its client could lose the answer.
  const answer = getRequestListener(fetch, { overrideGlobalObjects: false, autoCleanupIncoming: false })
  const server = http2.createServer((request, response) => {
    const before = Number(request.headers[beforeHeader] ?? Number.POSITIVE_INFINITY)
    if (clock.now() < before) return answer(request, response)
    // Its client has given up on it meanwhile.
    const late = errorBody('TOO_LATE', 'nothing was done: it came when nobody waited for its answer any more')
    response.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify(late))
  })
  const gone = new Promise<void>(resolve => {
    server.on('session', session => session.on('error', () => undefined).on('close', resolve))
    // At its end an HTTP/2 session that waits for requests does not end by itself.
    input
      .on('end', resolve)
      .on('close', resolve)
      .on('error', () => resolve())
    output.on('close', resolve).on('error', () => resolve())
  })
  output.write(stdioGreeting({ protocol, version, now: clock.now(), wall: clock.wall() }))
  server.emit('connection', bothWays(input, output))
  await gone
  // An action that was begun goes on. What does not end then ends with this process.
  await Promise.race([Promise.allSettled(begun), pause(lastActionsMs)])
  await Promise.race([api.close(), pause(lastAnswersMs)])
}
