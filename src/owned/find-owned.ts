/** The open terminals of lull's own, and the error where their server was killed. */
import { existsSync } from 'node:fs'
import { isLullError, LullError } from '../core/lull-error.ts'
import type { Places } from '../os/file/places.ts'
import { isAlive } from '../os/proc/alive.ts'
import { signalGroup } from '../os/spawn/process-group.ts'
import { runningServer } from './start-server.ts'
import type { OwnedTerminal } from './terminal-messages.ts'
import { howElseMeant, isTerminalName } from './terminal-name.ts'
import { terminalRequests } from './terminal-requests.ts'
import { type NotedTerminal, readNoted } from './terminals-note.ts'

/** It is asked again soon: ms. */
const patienceMs = 500

/** None where no server runs; undefined where it was killed, or does not answer in time. */
export async function listOwned(places: Places): Promise<readonly OwnedTerminal[] | undefined> {
  if (!existsSync(places.terminals)) return []
  const found = await terminalRequests(places.terminals)
    .list(patienceMs)
    .catch((error: Error) => error)
  if (!(found instanceof Error)) return found
  if (isLullError(found, 'TERMINALS_GONE')) return undefined
  if (isLullError(found, 'BAD_PLACE')) return []
  throw found
}

/**
 * The terminal of this name, where one is open or has just ended.
 * @throws {LullError} TERMINALS_GONE where its server was killed with it, or does not answer; NO_SESSION where it was closed a
 *   while ago: who means it does not mean what else is called so
 */
export async function findOwned(name: string, places: Places): Promise<OwnedTerminal | undefined> {
  if (!isTerminalName(name) || !existsSync(places.terminals)) return undefined
  const found = await terminalRequests(places.terminals)
    .describe(name)
    .catch((error: Error) => error)
  if (!(found instanceof Error)) return found
  if (isLullError(found, 'NO_SESSION') && found.facts.closedAt !== undefined)
    throw new LullError('NO_SESSION', `${found.message}: ${howElseMeant(name)}`, found.facts)
  if (isLullError(found, 'NO_SESSION', 'BAD_PLACE')) return undefined
  if (!isLullError(found, 'TERMINALS_GONE')) throw found
  const noted = await heldByNobody(name, places)
  if (!noted) return undefined
  const left = isAlive(noted)
    ? `its program (pid ${noted.pid}) still runs, without a terminal: lull close ${name} --force ends it`
    : 'its program ended with it'
  throw new LullError(
    'TERMINALS_GONE',
    `the terminal ${name} is gone: the process that held it was killed; ${left}`,
  )
}

/** A terminal whose server was killed, while no other runs: one that runs and does not answer has its own error. */
async function heldByNobody(name: string, places: Places): Promise<NotedTerminal | undefined> {
  const noted = readNoted(places).find(terminal => terminal.name === name)
  return noted && !(await runningServer(places)) ? noted : undefined
}

/** Kills processes that are left of a terminal after its server was killed. False where there are none. */
export async function killSurvivor(name: string, places: Places): Promise<boolean> {
  const noted = await heldByNobody(name, places)
  if (!noted || isAlive(noted) !== true) return false
  // It leads a group of its own: what it has started in it goes with it.
  signalGroup(noted.pid, 'SIGKILL')
  return true
}
