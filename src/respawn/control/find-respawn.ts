/** Which respawn an address means: that of the session that is found, or the one that was begun for this name. */
import { isLullError } from '../../core/lull-error.ts'
import type { Places } from '../../os/file/places.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { listRespawns } from './respawn-requests.ts'

/**
 * @param find the session that an address means
 * @returns the id of its session, which may have no respawn
 * @throws {LullError} as `find` does
 */
export async function findRespawn(
  address: string,
  places: Places,
  find: (address: string) => Promise<LiveSession>,
): Promise<string> {
  const respawns = await listRespawns(places)
  const called = respawns.filter(({ name, address: begun }) => name === address || begun === address)
  const [kept, other] = called
  try {
    const { id } = await find(address)
    // Between a crash and its relaunch the terminal itself is what has that name.
    const isKept = respawns.some(respawn => respawn.session === id)
    return !isKept && kept && !other ? kept.session : id
  } catch (error) {
    if (!isLullError(error, 'NO_SESSION')) throw error
    if (/^[a-z0-9]{8}$/.test(address)) return address
    if (kept && !other) return kept.session
    throw error
  }
}
