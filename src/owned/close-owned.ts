/** Closes a terminal of lull's own. */
import { LullError } from '../core/lull-error.ts'
import { oneLine } from '../core/text/printable.ts'
import type { Places } from '../os/file/places.ts'
import { findOwned, killSurvivor } from './find-owned.ts'
import { endOf } from './terminal-messages.ts'
import { terminalRequests } from './terminal-requests.ts'

/** How its program ended: by itself, or by a signal. */
export type TerminalEnd = { readonly code?: number; readonly signal?: string }

/**
 * Hangs its program up, as closing a window does, and waits for its end.
 * @param isForced kills what runs in it; what runs on after its server was killed, too
 * @throws {LullError} NO_SESSION, STILL_RUNS, TERMINALS_GONE
 */
export async function closeOwned(name: string, places: Places, isForced = false): Promise<TerminalEnd> {
  if (isForced && (await killSurvivor(name, places))) return { signal: 'SIGKILL' }
  if (!(await findOwned(name, places)))
    throw new LullError(
      'NO_SESSION',
      `no terminal of lull’s own is called "${oneLine(name, 100)}": lull ps lists them`,
      {
        address: name,
      },
    )
  const { end } = await terminalRequests(places.terminals).close(name, isForced)
  return end ? endOf(end) : {}
}
