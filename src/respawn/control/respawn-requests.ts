/** Asks the respawns of this user what they do, and steers them. */
import { readdirSync } from 'node:fs'
import { LullError } from '../../core/lull-error.ts'
import { attempt } from '../../os/attempt.ts'
import type { Places } from '../../os/file/places.ts'
import { socketRequests } from '../../os/socket/socket-request.ts'
import type { RespawnStatus } from '../status.ts'
import { type RespawnControl, respawnFolder, respawnSocket } from './respawn-server.ts'

const { ask } = socketRequests({ who: 'the respawn', code: 'RESPAWN_GONE' })

/** Those that answer. */
export async function listRespawns(places: Places): Promise<readonly RespawnStatus[]> {
  const names = attempt(() => readdirSync(respawnFolder(places))) ?? []
  const ids = names.flatMap(name => /^(\w+)\.sock$/.exec(name)?.[1] ?? [])
  const all = await Promise.all(
    ids.map(id => ask(respawnSocket(places, id), { path: '/v1/status' }).catch(() => undefined)),
  )
  return all.flatMap(text => (text === undefined ? [] : [JSON.parse(text) as RespawnStatus]))
}

/**
 * @param id of the session
 * @throws {LullError} RESPAWN_GONE where none keeps it going
 */
export async function controlRespawn(
  places: Places,
  id: string,
  what: RespawnControl,
): Promise<RespawnStatus> {
  try {
    const text = await ask(respawnSocket(places, id), { path: `/v1/${what}`, method: 'POST' })
    return JSON.parse(text) as RespawnStatus
  } catch {
    throw new LullError('RESPAWN_GONE', `no lull respawn keeps ${id} going: lull respawn ps lists them`)
  }
}
