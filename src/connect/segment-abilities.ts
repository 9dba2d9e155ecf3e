/** Whether the segment of tmux' status line that a tmux.conf asks for is kept: what `lull doctor` says of it. */
import { findHost, whyNoHost } from '../host/find-host.ts'
import type { Env, Places } from '../os/file/places.ts'
import type { Ability } from '../process/abilities.ts'
import { installedIn } from '../segment/install/install-segment.ts'

/** None where nobody asks for it. */
export async function segmentAbilities(env: Env, places: Places): Promise<readonly Ability[]> {
  const file = installedIn(env)
  if (file === undefined) return []
  const found = await findHost(places)
  const [name, lost] = [`the host, which keeps what ${file} asks for`, 'what sessions do, in the status line']
  return [
    found.is === 'running'
      ? { name, works: true, lost }
      : { name, works: false, why: whyNoHost(found, places), lost },
  ]
}
