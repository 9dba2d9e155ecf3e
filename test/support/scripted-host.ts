/** A host over HTTP without a network: each request is answered as a test says, piece by piece. */

import type { Transport, TransportRequest } from '../../src/connect/remote/transport.ts'
import { createAsyncQueue } from '../../src/core/async-queue.ts'
import { changeMessage, protocol } from '../../src/host/messages.ts'
import type { LiveChange } from '../../src/sessions/session-source.ts'
import { withIsoTimes } from '../../src/shapes/wire-instants.ts'

/** Its clock began ten seconds before the test. */
const begun = performance.now() - 10_000
export const nowThere = (): number => performance.now() - begun

/** ms since the epoch at its clock's 0. */
const epoch = 1_800_000_000_000

/** @param more its instants as numbers */
export const greeting = (more: object = {}): string => {
  const words = {
    protocol,
    version: '0',
    now: nowThere(),
    from: nowThere(),
    home: '/home/dev',
    beatMs: 600_000,
  }
  const sent = withIsoTimes('liveGreeting', { ...words, ...more }, epoch) as object
  return line({ epoch: new Date(epoch).toISOString(), ...sent })
}

export const line = (value: object): string => `${JSON.stringify(value)}\n`

export const changeLine = (change: LiveChange): string => line(changeMessage(change, epoch))

type Scripted = {
  readonly request: TransportRequest
  readonly path: string
  send(text: string): void
  /** The connection is over; with an error it was cut. */
  end(error?: Error): void
  isOver(): boolean
}

type Answer = { readonly status: number; readonly text?: string } | 'stream' | Error

/** @param answer to the n-th request, from 0 */
export function scriptedHost(answer: (path: string, n: number, request: TransportRequest) => Answer) {
  const streams: Scripted[] = []
  const paths: string[] = []
  const transport: Transport = async request => {
    const path = request.url.replace(/^https?:\/\/[^/]+/, '')
    const given = answer(path, paths.push(path) - 1, request)
    if (given instanceof Error) throw given
    const queue = createAsyncQueue<string>()
    let failure: Error | undefined
    let isOver = false
    const end = (error?: Error): void => {
      failure ??= error
      isOver = true
      queue.end()
    }
    async function* pieces() {
      yield* queue.values
      if (failure) throw failure
    }
    if (given === 'stream') {
      request.signal.addEventListener('abort', () => end(request.signal.reason as Error))
      streams.push({ request, path, send: queue.push, end, isOver: () => isOver })
      return { status: 200, pieces: pieces() }
    }
    if (given.text !== undefined && given.text !== '') queue.push(given.text)
    queue.end()
    return { status: given.status, pieces: pieces() }
  }
  return { transport, streams, paths }
}
