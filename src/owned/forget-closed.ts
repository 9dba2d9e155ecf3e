/** `lull name --forget NAME` of a terminal of lull's own that was closed. */
import { isLullError } from '../core/lull-error.ts'
import type { Places } from '../os/file/places.ts'
import { runningServer } from './start-server.ts'
import { terminalRequests } from './terminal-requests.ts'
import { closedAt, forgetNoted } from './terminals-note.ts'

/**
 * Gives its name up before the ten minutes are over.
 * @returns false where none of this name was closed a while ago
 * @throws {LullError} TERMINALS_GONE where the server that keeps it does not answer
 */
export async function forgetClosed(name: string, places: Places): Promise<boolean> {
  if (closedAt(places, name) === undefined) return false
  try {
    await terminalRequests(places.terminals).forget(name)
  } catch (error) {
    if (!isLullError(error, 'TERMINALS_GONE') || (await runningServer(places))) throw error
    // It was killed, and its note is left.
    forgetNoted(places, name)
  }
  return true
}
