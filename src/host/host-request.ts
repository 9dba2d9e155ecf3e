/** Requests over the host's socket. Whatever listens there, each ends in bounded time and with bounded text. */
import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { LullError } from '../core/lull-error.ts'
import { longestLine } from '../core/trace/trace.ts'
import { hasOwnFolder } from '../os/file/places.ts'

export type HostRequest = {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  /** ms */
  readonly patience?: number
}

/** ms */
const usualPatience = 2000
/** A thousand sessions are 4 MB. */
export const longestAnswer = 8 * longestLine

/** Not imported: an import takes all that it exports, its WebSocket too, which is 35 ms (docs/benchmarks.md#benchstart). */
const http = process.getBuiltinModule('node:http')

/**
 * @throws {LullError} HOST_GONE where nobody listens there, or what listens does not answer in time; its cause is the
 * system's. BAD_PLACE where another user could listen there
 */
export function ask(socket: string, { path, method = 'GET', body, patience }: HostRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    mustBeOwn(socket)
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const request = http.request({ socketPath: socket, path, method, headers, agent: false }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', piece => {
        text += piece
        if (text.length > longestAnswer) request.destroy(new Error('its answer is too long'))
      })
      response.on('error', fail)
      response.on('end', () => {
        clearTimeout(timer)
        const status = response.statusCode ?? 0
        if (status < 300) resolve(text)
        else reject(new LullError('HOST_GONE', `the host answered ${status}: ${text.trim().slice(0, 200)}`))
      })
    })
    const timer = within(request, patience)
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(gone(error))
    }
    request.on('error', fail)
    request.end(body)
  })
}

/**
 * An answer that goes on: it begins once the host is registered.
 * @param silence ms: it ends where nothing has come for so long; never where not given
 * @throws {LullError} as `ask`
 */
export function open(socket: string, path: string, silence = 0): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    mustBeOwn(socket)
    const request = http.get({ socketPath: socket, path, agent: false }, response => {
      response.once('readable', () => {
        clearTimeout(timer)
        request.setTimeout(silence, () => request.destroy())
        resolve(response)
      })
      response.on('error', error => reject(gone(error)))
    })
    const timer = within(request, usualPatience)
    request.on('error', error => {
      clearTimeout(timer)
      reject(gone(error))
    })
  })
}

/** However much comes in the meantime. */
const within = (request: { destroy(error: Error): void }, patience = usualPatience): NodeJS.Timeout =>
  setTimeout(() => request.destroy(new Error(`no answer in ${patience / 1000} s`)), patience)

/** Who listens in a folder of this user alone is this user. */
function mustBeOwn(socket: string): void {
  if (!hasOwnFolder(dirname(socket)))
    throw new LullError('HOST_GONE', `no host answers (there is no ${dirname(socket)})`)
}

function gone(error: Error): LullError<'HOST_GONE'> {
  const found = new LullError('HOST_GONE', `no host answers (${error.message})`)
  found.cause = error
  return found
}
