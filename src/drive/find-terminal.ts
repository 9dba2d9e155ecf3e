/** The terminal that a SESSION means: one of lull's own by its name, else a pane of tmux. */
import { isLullError, LullError } from '../core/lull-error.ts'
import { attempt } from '../os/attempt.ts'
import { placesOf } from '../os/file/places.ts'
import { isTerminalName } from '../owned/terminal-name.ts'
import { findSession } from '../sessions/address.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { readNamed } from '../sessions/terminals/named-terminals.ts'
import type { DrivableHolder } from '../terminal/terminal-holder.ts'
import { findPane, type PaneSearch } from './find-pane.ts'

export type FoundTerminal = Pick<DrivableHolder, 'socket' | 'id' | 'tty' | 'pid'> & {
  readonly isOwned: boolean
  /** The agent that the address named, and not the terminal. */
  readonly session?: LiveSession
}

/** @throws {LullError} as `findPane`; TERMINALS_GONE where the server of lull's own terminals is gone or mute */
export async function findTerminal(address: string | undefined, where: PaneSearch): Promise<FoundTerminal> {
  const given = address ?? where.env.LULL_PANE ?? ''
  const own = await ownedTerminal(given)
  if (own) return own
  if (given !== '' && !/^(tmux:|%)/.test(given)) {
    const session = await sessionIn(given, where)
    const held = session?.terminal === undefined ? undefined : await ownedTerminal(session.terminal)
    if (session && held) return session.agent === 'terminal' ? held : { ...held, session }
  }
  const { socket, facts, session } = await findPane(address, where)
  const { id, pid, tty } = facts
  return { socket, id, pid, tty, isOwned: false, ...(session ? { session } : {}) }
}

async function ownedTerminal(name: string): Promise<FoundTerminal | undefined> {
  if (!isTerminalName(name)) return undefined
  const places = placesOf()
  const { findOwned } = await import('../owned/find-owned.ts')
  const found = await findOwned(name, places).catch(error => {
    if (isGivenSince(error, places.state)) return undefined
    throw error
  })
  return found && { socket: places.terminals, id: name, tty: found.tty, pid: found.pid, isOwned: true }
}

/** The name of a terminal that was closed is that of the pane which a person gave it afterwards. */
function isGivenSince(error: unknown, folder: string): boolean {
  if (!isLullError(error, 'NO_SESSION')) return false
  const { address, closedAt = Infinity } = error.facts
  // Where it can't be read who has the name, nobody was given it.
  const named = attempt(() => readNamed(folder)) ?? []
  return named.some(({ name, namedAt = 0 }) => name === address && namedAt >= closedAt)
}

/** The session that is meant; undefined where the search for panes has to report the error. */
async function sessionIn(
  address: string,
  { sessions, caller }: PaneSearch,
): Promise<LiveSession | undefined> {
  const all = await sessions()
  if (!all.some(({ terminal }) => terminal !== undefined)) return undefined
  try {
    return findSession(address, all, caller)
  } catch (error) {
    if (error instanceof LullError) return undefined
    throw error
  }
}
