/** Who types into a pane does so alone. */
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../attempt.ts'
import { type Lock, waitForLock } from './lock.ts'
import { checkRuntime, makeOwnFolder, placesOf } from './places.ts'

/** Another sender may wait for a large paste to be read. */
const patienceMs = 30_000

/**
 * Others wait until it is released.
 * @throws {LullError} LOCKED, BAD_PLACE where another one still types after half a minute
 */
export function lockPane(socket: string, pane: string): Promise<Lock> {
  const places = placesOf()
  checkRuntime(places)
  const folder = path.join(places.runtime, 'panes')
  makeOwnFolder(folder)
  const server = attempt(() => realpathSync(socket)) ?? socket
  const name = createHash('sha256').update(server).digest('hex').slice(0, 16)
  return waitForLock(path.join(folder, `${name}-${pane.replace('%', '')}`), patienceMs)
}
