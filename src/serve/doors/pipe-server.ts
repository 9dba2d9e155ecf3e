/** The API for one client at the other end of a pipe (`lull host stdio`, a fleet), as HTTP/2. Who may open the pipe is let in. */
import http2 from 'node:http2'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { Lull } from '../../connect/connect.ts'
import { type BoxGreeting, beforeHeader, lateMark } from '../../fleet/box-greeting.ts'
import type { Share } from '../../fleet/share/share.ts'
import type { DoorPorts } from '../../host/host.ts'
import { protocol } from '../../host/messages.ts'
import { errorBody } from '../error-reply.ts'
import { openApi } from '../open-api.ts'
import { hashOf, type Token, type TokenStore } from '../tokens.ts'
import { sharedApi } from './shared-api.ts'

/** ms */
const lastActionsMs = 5000
const lastAnswersMs = 300

/** Its timer keeps no process that has nothing else to do. */
const atMost = (ms: number): Promise<void> => pause(ms, undefined, { ref: false })

type Scope = Token['scope']
type Around = Omit<DoorPorts, 'sessions'> & {
  readonly lull: Lull
  readonly changes: DoorPorts['sessions']['changes']
}

/** @param share what may leave this machine: all, where not given */
export async function pipeServer(around: Around, share?: Share) {
  const { clock, version } = around
  const tokens: TokenStore = {
    find(secret) {
      const at = secret.indexOf(':')
      const [scope, name] = [secret.slice(0, at), secret.slice(at + 1)]
      // The hash is always the same: an action that was asked for over another connection is known again.
      const hash = hashOf(`lull host ${name}`)
      return { name, scope: scope === 'act' ? 'act' : 'read', hash, createdAt: 0 }
    },
    isValid: () => true,
    noteSeen: () => undefined,
  }
  const api = await openApi({
    ...around,
    tokens,
    settings: { port: 0, listen: '127.0.0.1', readOnly: false },
    hosts: new Set(['lull']),
    // Whoever may run lull is let in: no browser asks.
    linkCommand: '',
  })
  const fetch = share === undefined ? api.fetch : sharedApi(api.fetch, share)
  const begun = new Set<Promise<unknown>>()
  const listener = (scope: Scope, name: string) =>
    getRequestListener(
      (request, env) => {
        // What the client calls itself means nothing.
        request.headers.set('authorization', `Bearer ${scope}:${name}`)
        const answered = Promise.resolve(fetch(request, env))
        begun.add(answered)
        return answered.finally(() => begun.delete(answered))
      },
      // It would reset the stream of a request that was read to its end, and its client could lose the answer.
      { overrideGlobalObjects: false, autoCleanupIncoming: false },
    )

  return {
    greeting: (): BoxGreeting => ({ protocol, version, now: clock.now(), wall: clock.wall() }),
    /**
     * Resolves once its session is over.
     * @param name without blanks, under which the history shows what this client does
     */
    serve(pipe: Duplex, scope: Scope, name: string): Promise<void> {
      const answer = listener(scope, name)
      const [began, wallThen] = [clock.now(), clock.wall()]
      // The monotonic clock stands still while a machine sleeps.
      const slept = (): number => Math.max(0, clock.wall() - wallThen - (clock.now() - began))
      const server = http2.createServer((request, response) => {
        const before = Number(request.headers[beforeHeader] ?? Number.POSITIVE_INFINITY)
        if (clock.now() + slept() < before) return answer(request, response)
        // Its client has given up on it meanwhile.
        const late = errorBody(
          'TOO_LATE',
          'nothing was done: it came when nobody waited for its answer any more',
        )
        const headers = { 'content-type': 'application/json', [beforeHeader]: lateMark }
        response.writeHead(409, headers).end(JSON.stringify(late))
      })
      return new Promise(resolve => {
        server.on('session', session => session.on('error', () => undefined).on('close', resolve))
        server.emit('connection', pipe)
      })
    },
    async close(): Promise<void> {
      // An action that was begun goes on. What does not end then ends with this process.
      await Promise.race([Promise.allSettled(begun), atMost(lastActionsMs)])
      await Promise.race([api.close(), atMost(lastAnswersMs)])
    },
  }
}

export type PipeServer = Awaited<ReturnType<typeof pipeServer>>
