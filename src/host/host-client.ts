/** A host's sessions, asked for over its socket: the same interface as when this process follows them itself. */
import type { IncomingMessage } from 'node:http'
import { createAsyncQueue } from '../core/async-queue.ts'
import { LullError } from '../core/lull-error.ts'
import { parseJson, type TraceEvent } from '../core/trace/trace.ts'
import type { Places } from '../os/file/places.ts'
import { longestAnswer } from '../os/socket/socket-request.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import { findHost, host } from './find-host.ts'
import {
  type HostStatus,
  readAsked,
  readChange,
  readEvent,
  readReplied,
  readSessions,
  readStatus,
} from './messages.ts'

/** The host beats more often than this (host-app.ts): one that is silent for so long is stopped, or hangs. ms */
const silentMs = 3500
/** The host waits 10 s for the agent (held-requests.ts). ms */
const replyMs = 13_000

/**
 * @throws {LullError} HOST_GONE where nobody listens there, or what listens does not answer in 2 s; BAD_PLACE where another
 * user could listen there
 */
export async function hostStatus(socket: string): Promise<HostStatus> {
  return understood(readStatus(parseJson(await host.ask(socket, { path: '/v1/status' }))))
}

/**
 * The host that runs, if one does and can be asked.
 * @throws {LullError} BAD_PLACE where it could be another user's
 */
export async function runningHost(places: Places): Promise<HostStatus | undefined> {
  const found = await findHost(places)
  return found.is === 'running' ? found.status : undefined
}

export function hostSessions(socket: string): SessionSource {
  const streams = new Set<IncomingMessage>()

  /** Ends where a line is none of a host's. */
  async function follow<T>(
    path: string,
    read: (value: unknown) => T | undefined,
    silence?: number,
  ): Promise<AsyncIterableIterator<T>> {
    const response = await host.open(socket, path, silence)
    const values = createAsyncQueue<T>(Infinity, () => response.destroy())
    streams.add(response)
    response.on('close', () => {
      streams.delete(response)
      values.end()
    })
    onLines(response, line => {
      const value = read(parseJson(line))
      if (value === undefined) response.destroy()
      else values.push(value)
    })
    response.resume()
    return values.values
  }

  return {
    via: 'host',
    list: async () => understood(readSessions(parseJson(await host.ask(socket, { path: '/v1/sessions' })))),
    changes: () => follow('/v1/changes', readChange, silentMs),
    events: (id, from) => follow<TraceEvent>(`/v1/events/${encodeURIComponent(id)}?from=${from}`, readEvent),
    requests: {
      async asked(session) {
        const path = `/v1/requests/${encodeURIComponent(session)}`
        return understood(readAsked(parseJson(await host.ask(socket, { path })))).request
      },
      async reply(session, request, option, onGiven) {
        const path = `/v1/requests/${encodeURIComponent(session)}`
        const body = JSON.stringify({ request, option })
        const answer = await host.ask(socket, { path, method: 'POST', body, patience: replyMs })
        const { is } = understood(readReplied(parseJson(answer)))
        if (is !== 'gone') onGiven?.()
        return is
      },
    },
    async markSeen(ids) {
      await host.ask(socket, { path: '/v1/seen', method: 'POST', body: JSON.stringify({ ids }) })
    },
    async close() {
      for (const stream of streams) stream.destroy()
    },
  }
}

function understood<T>(answer: T | undefined): T {
  if (answer === undefined) throw new LullError('HOST_GONE', 'what answers there is no host of lull’s')
  return answer
}

/** Lines but empty ones, which are beats. */
function onLines(response: IncomingMessage, take: (line: string) => void): void {
  let rest = ''
  response.setEncoding('utf8')
  response.on('data', (piece: string) => {
    rest += piece
    if (rest.length > longestAnswer) response.destroy()
    if (!piece.includes('\n')) return
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') take(line)
  })
}
