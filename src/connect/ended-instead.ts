/** What is said of a terminal of lull's own whose program has ended: it is no session any more, and yet it was one. */
import { isLullError, LullError } from '../core/lull-error.ts'
import type { Places } from '../os/file/places.ts'
import { findOwned } from '../owned/find-owned.ts'
import { endOf } from '../owned/terminal-messages.ts'

/**
 * Whether a wait begins just before a program's end or just after it is chance: both are told as its end.
 * @returns the error itself where it is of anything else
 */
export async function endedInstead(error: unknown, places: Places): Promise<unknown> {
  if (!isLullError(error, 'NO_SESSION')) return error
  const { address } = error.facts
  const end = (await findOwned(address, places).catch(() => undefined))?.end
  if (!end) return error
  const { code, signal } = endOf(end)
  const how = signal === undefined ? `exited with ${code}` : `was ended by ${signal}`
  return new LullError(
    'TERMINAL_ENDED',
    `the terminal ${address} has ended: its program ${how} (lull read ${address} shows its last screen)`,
  )
}
