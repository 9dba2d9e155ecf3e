/** Asks the respawns of this user what they do, and steers them. */
import { readdirSync } from 'node:fs'
import { LullError } from '../../core/lull-error.ts'
import { parseJson } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import type { Places } from '../../os/file/places.ts'
import { socketRequests } from '../../os/socket/socket-request.ts'
import { isShaped } from '../../shapes/wire.ts'
import type { RespawnStatus } from '../status.ts'
import { type RespawnControl, respawnSocket } from './respawn-server.ts'

const { ask } = socketRequests({ who: 'the respawn', code: 'RESPAWN_GONE' })

/** ms: it answers once what it types has settled, and a bracketed paste into a slow terminal takes a while. */
const stopPatience = 15_000

/**
 * Those that answer.
 * @param complain called for an answer that can't be read: it is left out
 */
export async function listRespawns(
  places: Places,
  complain?: (sentence: string) => void,
): Promise<readonly RespawnStatus[]> {
  const names = attempt(() => readdirSync(places.respawns)) ?? []
  const ids = names.flatMap(name => /^(\w+)\.sock$/.exec(name)?.[1] ?? [])
  const all = await Promise.all(
    ids.map(async id => {
      const text = await ask(respawnSocket(places, id), { path: '/v1/status' }).catch(() => undefined)
      if (text === undefined) return []
      const status = statusIn(text)
      if (!status) complain?.(`the respawn of ${id} answers what is no status: it is left out`)
      return status ?? []
    }),
  )
  return all.flat()
}

/**
 * @param id of the session
 * @throws {LullError} RESPAWN_GONE where none keeps it going, or its answer can't be read
 */
export async function controlRespawn(
  places: Places,
  id: string,
  what: RespawnControl,
): Promise<RespawnStatus> {
  const patience = what === 'stop' ? { patience: stopPatience } : {}
  const request = { path: `/v1/${what}`, method: 'POST', ...patience } as const
  const text = await ask(respawnSocket(places, id), request).catch(() => {
    throw new LullError('RESPAWN_GONE', `no lull respawn keeps ${id} going: lull respawn ps lists them`)
  })
  const status = statusIn(text)
  if (status) return status
  throw new LullError('RESPAWN_GONE', `the respawn of ${id} answers what is no status`)
}

/** As JSON: its time as ISO text. */
export const jsonRespawn = ({ since, ...status }: RespawnStatus) => ({
  ...status,
  since: new Date(since).toISOString(),
})

/** Undefined where it is none: another version, or a program that listens in its place. */
function statusIn(text: string): RespawnStatus | undefined {
  const row = parseJson(text)
  return isShaped('respawnStatus', row) ? (row as RespawnStatus) : undefined
}
