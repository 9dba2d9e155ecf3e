/** Where a respawn is found and steered, and by which it is the only one: an agent that was started again is another session. */
import type { Places } from '../../os/file/places.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { serveRespawn, takeLease } from './respawn-server.ts'

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
