/**
 * The terminal server: one process a user that holds the terminals which `lull open` opened, as tmux's server holds its
 * panes. It is started by the first of them, ends a while after the last, and a host that ends or is renewed takes none of
 * them with it.
 */
import { chmodSync, rmSync } from 'node:fs'
import http from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { attempt } from '../os/attempt.ts'
import { acquireLock } from '../os/file/lock.ts'
import { makeOwnFolder, makeRuntime, type Places } from '../os/file/places.ts'
import { type HeldTerminals, heldTerminals } from './held-terminals.ts'
import { terminalApp } from './terminal-app.ts'
import { type ServerStatus, terminalProtocol } from './terminal-messages.ts'
import { keptNames, noteTerminals, serverLock } from './terminals-note.ts'
import { acceptViewers } from './viewers.ts'

/** The next one is opened soon after, most often: ms. */
const emptyForMs = 60_000

/**
 * ms. One whose program has ended is asked for its last screen and its end, for as long as it is held; and the name of the last one
 * would fall to what else is called so as soon as nobody knows that it was closed.
 */
export const mayEndIn = ({ list, closedKeptFor }: HeldTerminals): number | undefined =>
  list().length > 0 ? undefined : Math.max(emptyForMs, closedKeptFor())

/**
 * Runs until it is asked to stop, or no terminal has been held for a while.
 * @throws {LullError} LOCKED where another one runs already, BAD_PLACE where its folders are not safely this user's
 */
export async function runTerminalServer(places: Places, version: string): Promise<void> {
  makeRuntime(places)
  makeOwnFolder(places.state)
  const lock = acquireLock(serverLock(places))
  let stop = () => {}
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  let empty: NodeJS.Timeout | undefined
  const clock = { now: () => performance.now(), wall: () => Date.now() }
  const terminals = heldTerminals(onChange, clock, keptNames(places, clock.wall()))
  function onChange(): void {
    noteTerminals(places, terminals.list(), terminals.closed())
    clearTimeout(empty)
    const left = mayEndIn(terminals)
    if (left !== undefined) empty = setTimeout(() => stop(), left)
  }
  const status = (): ServerStatus => ({
    pid: process.pid,
    version,
    protocol: terminalProtocol,
    terminals: terminals.list().filter(({ end }) => !end).length,
  })
  rmSync(places.terminals, { force: true })
  const app = terminalApp({ terminals, status, stop: () => stop() })
  const server = http.createServer(getRequestListener(app.fetch))
  acceptViewers(server, terminals)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(places.terminals, resolve)
  })
  chmodSync(places.terminals, 0o600)
  onChange()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop())
  // Whoever started it may hang up.
  process.on('SIGHUP', () => undefined)
  await stopped
  clearTimeout(empty)
  await terminals.closeAll()
  server.close()
  server.closeAllConnections()
  noteTerminals(places, [], terminals.closed())
  attempt(() => rmSync(places.terminals, { force: true }))
  lock.release()
}
