/**
 * Control clients of one tmux server come and go one at a time, in all of this user's lull processes. tmux (seen with
 * 3.3a) tells a client that leaves, or a session that ends, to control clients that are not set up yet as well, and
 * crashes: four lulls at once ended a server, with all that ran in it, within a second.
 */
import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt } from '../attempt.ts'
import { makeOwnFolder, placesOf } from '../file/places.ts'
import { cFunction } from '../native/c-library.ts'

/** sys/file.h, on Linux and macOS. */
const LOCK_EX = 2
const LOCK_NB = 4

const flock = cFunction<(fd: number, operation: number) => number>('int flock(int, int)')

/** Who holds it for longer is stopped, or its tmux hangs: ms. */
const patienceMs = 3000
const againMs = 2

/** At once, before this returns, where nobody else comes or goes. Without the lock where it can't be had. */
export async function alone(socket: string, act: () => Promise<void>): Promise<void> {
  const gate = attempt(() => ({ fd: openSync(gateOf(socket), constants.O_RDWR | constants.O_CREAT, 0o600) }))
  try {
    const end = performance.now() + patienceMs
    while (gate && isTaken(gate.fd) && performance.now() < end) await pause(againMs)
    await act()
  } finally {
    // The lock ends with its descriptor, whatever becomes of this process.
    if (gate) closeSync(gate.fd)
  }
}

const isTaken = (fd: number): boolean => flock()?.(fd, LOCK_EX | LOCK_NB) === -1

function gateOf(socket: string): string {
  const folder = path.join(placesOf().runtime, 'tmux')
  makeOwnFolder(folder)
  const server = attempt(() => realpathSync(socket)) ?? socket
  return path.join(folder, createHash('sha256').update(server).digest('hex').slice(0, 16))
}
