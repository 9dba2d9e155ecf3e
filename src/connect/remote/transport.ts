/** HTTP requests to a host on another machine. A LullError says itself why nothing was sent. A redirect is not followed: the token would go along. */
import http from 'node:http'
import https from 'node:https'

export type TransportRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Of an action: whoever asked gives up after so many ms. */
  readonly patience?: number
  /** Ends the request and its answer. */
  readonly signal: AbortSignal
}

export type TransportAnswer = {
  readonly status: number
  /** Rejects where the connection is cut. */
  readonly pieces: AsyncIterable<string>
}

/** Resolves once the head of the answer is there. */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>

/** Not by `fetch`, which gives up on an answer that begins after five minutes: a send may wait for ten. */
export const overHttp: Transport = ({ url, body, patience: _, ...options }) =>
  new Promise((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http
    const asked = request(url, options, answer => {
      // Whoever reads it gets the error; nobody does where it is ended first.
      answer.setEncoding('utf8').on('error', () => undefined)
      resolve({ status: answer.statusCode ?? 0, pieces: answer })
    })
    asked.on('error', reject)
    asked.end(body)
  })
