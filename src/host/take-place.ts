/** The place of a user's host: one lock, one socket. It is taken while it is free, or from a host of an older lull. */
import { chmodSync, lstatSync, renameSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLullError } from '../core/lull-error.ts'
import { attempt } from '../os/attempt.ts'
import { acquireLock, type Holder, type Lock, waitForLock } from '../os/file/lock.ts'
import type { Places } from '../os/file/places.ts'
import { isAlive } from '../os/proc/alive.ts'
import { findHost, hostLock, nextLock } from './find-host.ts'

export type HostPlace = {
  readonly server: Server
  /** Whether the socket that is found there is still this host's. */
  isOwn(): boolean
  /** Ends the host that was there before; nothing where none was. */
  endOlder(): Promise<void>
  leave(): void
}

/**
 * From its return on requests come in: what answers them has to be there at once, before anything is awaited.
 * @param listen on a socket of this path
 * @throws {LullError} LOCKED where a host runs that this lull understands, or that is newer
 */
export async function takePlace(
  places: Places,
  listen: (socket: string) => Promise<Server>,
): Promise<HostPlace> {
  let taken = await lockOrOlder(places)
  // Listening before it gets its name, it takes the place of the one before in one step: no hook finds nobody.
  const nameless = path.join(places.runtime, `h${process.pid}`)
  rmSync(nameless, { force: true })
  const server = await listen(nameless)
  chmodSync(nameless, 0o600)
  // Before it has its name: what is found there a moment later may be another's already.
  const own = idOf(nameless)
  renameSync(nameless, places.socket)
  const isOwn = (): boolean => own !== undefined && idOf(places.socket) === own
  return {
    server,
    isOwn,
    async endOlder() {
      if (!('older' in taken)) return
      const { older, isPolite, claim } = taken
      try {
        // It still answers those who came before.
        await sleep(drainMs)
        await endHost(older, isPolite)
        taken = { lock: await waitForLock(hostLock(places), endMs) }
      } finally {
        claim.release()
      }
    },
    leave() {
      if (isOwn()) rmSync(places.socket, { force: true })
      if ('lock' in taken) taken.lock.release()
      else taken.claim.release()
    },
  }
}

type Taken =
  | { readonly lock: Lock }
  | { readonly older: Holder; readonly isPolite: boolean; readonly claim: Lock }

/** ms */
const drainMs = 200
/** A host without its socket ends within a second or two (host.ts). */
const endMs = 3000
const againMs = 50

async function lockOrOlder(places: Places): Promise<Taken> {
  const file = hostLock(places)
  const from = performance.now()
  for (;;) {
    try {
      return { lock: acquireLock(file) }
    } catch (error) {
      const found = isLullError(error, 'LOCKED') ? await findHost(places) : undefined
      if (found?.is === 'older')
        return {
          older: found.holder,
          // The first ones remove whatever socket they find when they end.
          isPolite: found.greeting.protocol > 1,
          claim: acquireLock(nextLock(file)),
        }
      if (found?.is !== 'unreachable' || performance.now() > from + endMs) throw error
    }
    await sleep(againMs)
  }
}

const idOf = (socket: string): string | undefined => {
  const stat = attempt(() => lstatSync(socket))
  return stat && `${stat.dev} ${stat.ino} ${stat.birthtimeMs} ${stat.isSocket()}`
}

/**
 * Ends a host, whatever it is in. Nothing is asked of its socket, where another may listen.
 * @param isPolite it is given the time to close what it has opened
 */
export async function endHost(host: Holder, isPolite: boolean): Promise<void> {
  for (const signal of isPolite ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const)) {
    if (isAlive(host) === false) return
    attempt(() => process.kill(host.pid, signal))
    const end = performance.now() + endMs
    while (isAlive(host) !== false && performance.now() < end) await sleep(againMs / 5)
  }
}
