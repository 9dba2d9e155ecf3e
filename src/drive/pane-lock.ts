/** Who types into a pane does so alone: others wait until it is done. */
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../os/attempt.ts'
import { type Lock, waitForLock } from '../os/file/lock.ts'
import { makeOwnFolder, placesOf } from '../os/file/places.ts'

/**
 * @param patience ms
 * @throws {LullError} LOCKED, BAD_PLACE where another one still types then
 */
export function lockPane(socket: string, pane: string, patience: number): Promise<Lock> {
  const folder = path.join(placesOf().runtime, 'panes')
  makeOwnFolder(folder)
  const server = attempt(() => realpathSync(socket)) ?? socket
  const name = createHash('sha256').update(server).digest('hex').slice(0, 16)
  return waitForLock(path.join(folder, `${name}-${pane.slice(1)}`), patience)
}
