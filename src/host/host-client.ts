/** A host's sessions, asked for over its socket: the same interface as when this process follows them itself. */

import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import readline from 'node:readline'
import { isLullError, LullError } from '../core/lull-error.ts'
import type { TraceEvent } from '../core/trace/trace.ts'
import { checkRuntime, hasOwnFolder, type Places } from '../os/file/places.ts'
import type { LiveChange, LiveSession, SessionSource } from '../sessions/session-source.ts'
import type { HostStatus } from './host-app.ts'

const answerMs = 5000

/** Not imported: an import takes all that it exports, its WebSocket too, which is 35 ms (docs/benchmarks.md#benchstart). */
const http = process.getBuiltinModule('node:http')

/**
 * @throws {LullError} HOST_GONE where nobody listens there, or what listens does not answer in 5 s; BAD_PLACE where another
 * user could listen there
 */
export async function hostStatus(socket: string): Promise<HostStatus> {
  return JSON.parse(await ask(socket, 'GET', '/v1/status')) as HostStatus
}

/**
 * The host that runs, if one does.
 * @throws {LullError} BAD_PLACE where it could be another user's
 */
export async function runningHost(places: Places): Promise<HostStatus | undefined> {
  checkRuntime(places)
  return hostStatus(places.socket).catch(() => undefined)
}

/** Asks a host to end. It has answered before it does. */
export async function stopHost(socket: string): Promise<void> {
  await ask(socket, 'POST', '/v1/stop')
}

export function hostSessions(socket: string): SessionSource {
  const endings = new Set<() => void>()

  async function follow<T>(path: string): Promise<AsyncIterableIterator<T>> {
    const response = await open(socket, path)
    const reader = readline.createInterface({ input: response, crlfDelay: Infinity })
    const lines = reader[Symbol.asyncIterator]()
    response.on('error', () => undefined)
    // A stream that is destroyed tells its reader nothing.
    const close = () => {
      endings.delete(close)
      reader.close()
      response.destroy()
    }
    endings.add(close)
    const end = () => {
      close()
      return { value: undefined, done: true } as const
    }
    const values: AsyncIterableIterator<T> = {
      async next() {
        for (;;) {
          const { value, done } = await lines.next().catch(() => ({ value: undefined, done: true as const }))
          if (done || value === undefined) return end()
          if (value !== '') return { value: JSON.parse(value) as T, done: false }
        }
      },
      return: async () => end(),
      [Symbol.asyncIterator]: () => values,
    }
    return values
  }

  return {
    via: 'host',
    list: async () => JSON.parse(await ask(socket, 'GET', '/v1/sessions')) as LiveSession[],
    changes: () => follow<LiveChange>('/v1/changes'),
    events: (id, from) => follow<TraceEvent>(`/v1/events/${encodeURIComponent(id)}?from=${from}`),
    async markSeen(ids) {
      await ask(socket, 'POST', '/v1/seen', JSON.stringify({ ids }))
    },
    async close() {
      for (const close of [...endings]) close()
    },
  }
}

/** Who listens in a folder of this user alone is this user. */
function mustBeOwn(socket: string): void {
  if (!hasOwnFolder(dirname(socket)))
    throw new LullError('HOST_GONE', `no host answers (there is no ${dirname(socket)})`)
}

/** The answer's head is there once the stream is registered: the host writes at once. */
function open(socket: string, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    mustBeOwn(socket)
    const request = http.get({ socketPath: socket, path, agent: false }, response => {
      response.once('readable', () => {
        request.setTimeout(0)
        resolve(response)
      })
      response.once('error', error => reject(gone(error)))
    })
    request.setTimeout(answerMs, () => request.destroy(new Error('no answer')))
    request.on('error', error => reject(gone(error)))
  })
}

function ask(socket: string, method: string, path: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    mustBeOwn(socket)
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const request = http.request({ socketPath: socket, path, method, headers, agent: false }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', piece => {
        text += piece
      })
      response.on('error', error => reject(gone(error)))
      response.on('end', () => {
        const status = response.statusCode ?? 0
        if (status < 300) resolve(text)
        else reject(new LullError('HOST_GONE', `the host answered ${status}: ${text.trim()}`))
      })
    })
    request.setTimeout(answerMs, () => request.destroy(new Error('no answer in 5 s')))
    request.on('error', error => reject(gone(error)))
    request.end(body)
  })
}

const gone = (error: Error): LullError<'HOST_GONE'> =>
  isLullError(error, 'HOST_GONE') ? error : new LullError('HOST_GONE', `no host answers (${error.message})`)
