/** By which another terminal finds a respawn and steers it: one lease and one socket a session, beside lull's others. */

import path from 'node:path'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { acquireLock, type Lock } from '../../os/file/lock.ts'
import { makeOwnFolder, makeRuntime, type Places, whyNoSocket } from '../../os/file/places.ts'
import { serveControls } from '../../os/socket/control-socket.ts'
import { type KeptMark, keptMark } from '../../sessions/runs/kept-sessions.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import type { RespawnStatus } from '../status.ts'

export type Post = {
  /** Whether it does the next thing by itself: no person is asked to look at its session then. */
  readonly mark: KeptMark
  leave(): Promise<void>
}

/** @throws {LullError} LOCKED where another one keeps it going */
export async function takePost(
  places: Places,
  { id }: LiveSession,
  steered: Parameters<typeof serveRespawn>[2],
): Promise<Post> {
  const lease = takeLease(places, id)
  try {
    const server = await serveRespawn(places, id, steered)
    const mark = keptMark(places.respawns, id)
    return {
      mark,
      leave() {
        mark.set(false)
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

export const respawnSocket = (places: Places, id: string): string => path.join(places.respawns, `${id}.sock`)

const controls = ['pause', 'resume', 'skip', 'stop'] as const
export type RespawnControl = (typeof controls)[number]

/**
 * One controller a session.
 * @throws {LullError} LOCKED where another one has it, BAD_PLACE
 */
export function takeLease(places: Places, id: string): Lock {
  makeRuntime(places)
  makeOwnFolder(places.respawns)
  const tooLong = whyNoSocket(places, respawnSocket(places, id))
  if (tooLong !== undefined) throw new LullError('BAD_PLACE', tooLong)
  try {
    return acquireLock(path.join(places.respawns, `${id}.lock`))
  } catch (error) {
    if (!isLullError(error, 'LOCKED')) throw error
    const { file, pid } = error.facts
    const why = `another lull respawn (process ${pid}) keeps this session going: lull respawn stop ${id} ends it`
    throw new LullError('LOCKED', why, { file, pid })
  }
}

/** A stop is answered once nothing is typed any more. */
export const serveRespawn = (
  places: Places,
  id: string,
  ports: { status(): RespawnStatus; control(what: RespawnControl): Promise<void> },
): Promise<{ close(): Promise<void> }> => serveControls(respawnSocket(places, id), controls, ports)
