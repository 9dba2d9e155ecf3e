/** By which another terminal finds a respawn and steers it: one lease and one socket a session, beside lull's others. */

import { chmodSync, rmSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { attempt } from '../../os/attempt.ts'
import { acquireLock, type Lock } from '../../os/file/lock.ts'
import { makeOwnFolder, makeRuntime, type Places, whyNoSocket } from '../../os/file/places.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import type { RespawnStatus } from '../status.ts'

export type Post = { leave(): Promise<void> }

/** @throws {LullError} LOCKED where another one keeps it going */
export async function takePost(
  places: Places,
  { id }: LiveSession,
  steered: Parameters<typeof serveRespawn>[2],
): Promise<Post> {
  const lease = takeLease(places, id)
  try {
    const server = await serveRespawn(places, id, steered)
    return {
      leave() {
        const closed = server.close()
        lease.release()
        return closed
      },
    }
  } catch (error) {
    lease.release()
    throw error
  }
}

export const respawnFolder = (places: Places): string => path.join(places.runtime, 'respawn')
export const respawnSocket = (places: Places, id: string): string =>
  path.join(respawnFolder(places), `${id}.sock`)

const controls = ['pause', 'resume', 'skip', 'stop'] as const
export type RespawnControl = (typeof controls)[number]
const isControl = (word: string): word is RespawnControl => (controls as readonly string[]).includes(word)

/**
 * One controller a session.
 * @throws {LullError} LOCKED where another one has it, BAD_PLACE
 */
export function takeLease(places: Places, id: string): Lock {
  makeRuntime(places)
  makeOwnFolder(respawnFolder(places))
  const tooLong = whyNoSocket(places, respawnSocket(places, id))
  if (tooLong !== undefined) throw new LullError('BAD_PLACE', tooLong)
  try {
    return acquireLock(path.join(respawnFolder(places), `${id}.lock`))
  } catch (error) {
    if (!isLullError(error, 'LOCKED')) throw error
    const { file, pid } = error.facts
    const why = `another lull respawn (process ${pid}) keeps this session going: lull respawn stop ${id} ends it`
    throw new LullError('LOCKED', why, { file, pid })
  }
}

/** Answers until it is closed: what it was asked by then as well. A stop is answered once nothing is typed any more. */
export async function serveRespawn(
  places: Places,
  id: string,
  ports: { status(): RespawnStatus; control(what: RespawnControl): Promise<void> },
): Promise<{ close(): Promise<void> }> {
  const socket = respawnSocket(places, id)
  rmSync(socket, { force: true })
  const asked = new Set<Promise<void>>()
  const server = http.createServer((request, response) => {
    const done = new Promise<void>(resolve => response.once('finish', resolve).once('close', resolve))
    asked.add(done)
    void done.then(() => asked.delete(done))
    void answer(request, response)
  })

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const word = (request.url ?? '').replace(/^\/v1\//, '')
    request.resume()
    if (request.method === 'POST' && isControl(word)) await ports.control(word)
    else if (request.method !== 'GET' || word !== 'status') {
      response.writeHead(404).end('there is no such request\n')
      return
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(ports.status()))
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, resolve)
  })
  chmodSync(socket, 0o600)
  return {
    async close() {
      server.close()
      attempt(() => rmSync(socket, { force: true }))
      await Promise.all(asked)
      server.closeAllConnections()
    },
  }
}
