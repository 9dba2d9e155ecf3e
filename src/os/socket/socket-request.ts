/**
 * Requests over a socket of lull's own: the host's, or that of the terminal server. Whatever listens there, each ends in
 * bounded time and with bounded text.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import { LullError } from '../../core/lull-error.ts'
import { longestLine } from '../../core/trace/trace.ts'
import { hasOwnFolder } from '../file/places.ts'

type SocketRequest = {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  /** ms */
  readonly patience?: number
}

/** Who is asked, as a refusal names it, and the code of the error that nobody answers. */
export type Answerer = {
  readonly who: string
  readonly code: 'HOST_GONE' | 'TERMINALS_GONE' | 'RESPAWN_GONE'
}

export type SocketRequests = {
  /**
   * @throws {LullError} the answerer's code where nobody listens there, or what listens does not answer in time; its cause is
   * the system's. BAD_PLACE where another user could listen there
   */
  ask(socket: string, request: SocketRequest): Promise<string>
  /**
   * An answer that goes on: it begins with its first byte.
   * @param silence ms: it ends where nothing has come for so long; never where not given
   * @throws {LullError} as `ask`
   */
  open(socket: string, path: string, silence?: number): Promise<IncomingMessage>
  /** A connection that is no request any more once it is taken: bytes both ways. @throws {LullError} as `ask` */
  connect(socket: string, path: string): Promise<{ readonly stream: Socket; readonly first: Buffer }>
}

/** ms */
const usualPatience = 2000
/** A thousand sessions are 4 MB. */
export const longestAnswer = 8 * longestLine

/** Not imported: an import takes all that it exports, its WebSocket too, which is 35 ms (docs/benchmarks.md#benchstart). */
const http = () => process.getBuiltinModule('node:http')
/** Without an agent of Node, which would look whether its server has an address: that takes 4 ms. */
const over = (socket: string) => ({
  createConnection: () => process.getBuiltinModule('node:net').connect(socket),
})

/** @param refused what an answer means that is an error; the answerer's code where it is undefined */
export function socketRequests(
  { who, code }: Answerer,
  refused: (answer: string) => Error | undefined = () => undefined,
): SocketRequests {
  const errorOf = (status: number, answer: string): Error =>
    refused(answer) ?? new LullError(code, `${who} answered ${status}: ${answer.trim().slice(0, 200)}`)

  function gone(error: Error): Error {
    const found = new LullError(code, `no ${who.replace(/^the /, '')} answers (${error.message})`)
    found.cause = error
    return found
  }

  /** Who listens in a folder of this user alone is this user. */
  function mustBeOwn(socket: string): void {
    if (!hasOwnFolder(dirname(socket))) throw gone(new Error(`there is no ${dirname(socket)}`))
  }

  return {
    ask(socket, { path, method = 'GET', body, patience }) {
      return new Promise((resolve, reject) => {
        mustBeOwn(socket)
        const headers = body === undefined ? {} : { 'content-type': 'application/json' }
        const request = http().request({ ...over(socket), path, method, headers }, response => {
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
            else reject(errorOf(status, text))
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
    },
    open(socket, path, silence = 0) {
      return new Promise((resolve, reject) => {
        mustBeOwn(socket)
        const request = http().get({ ...over(socket), path }, response => {
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
    },
    connect(socket, path) {
      return new Promise((resolve, reject) => {
        mustBeOwn(socket)
        const headers = { connection: 'Upgrade', upgrade: 'lull' }
        const request = http().get({ ...over(socket), path, headers })
        const timer = within(request, usualPatience)
        request.on('upgrade', (_, stream, first) => {
          clearTimeout(timer)
          resolve({ stream, first })
        })
        request.on('response', response => {
          clearTimeout(timer)
          let text = ''
          response.setEncoding('utf8')
          response.on('data', piece => {
            text = (text + piece).slice(0, longestAnswer)
          })
          response.on('end', () => reject(errorOf(response.statusCode ?? 0, text)))
        })
        request.on('error', error => {
          clearTimeout(timer)
          reject(gone(error))
        })
      })
    },
  }
}

/** However much comes in the meantime. */
const within = (request: { destroy(error: Error): void }, patience = usualPatience): NodeJS.Timeout =>
  setTimeout(() => request.destroy(new Error(`no answer in ${patience / 1000} s`)), patience)
