/** Where a command's sessions come from: the host that runs, else a track of its own. The verdicts are the same. */

import { hostSessions, runningHost } from '../host/host-client.ts'
import { checkRuntime, placesOf } from '../os/file/places.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import { realClock } from '../track/clock.ts'

export type ConnectOptions = {
  /** Look for oneself even if a host runs. */
  readonly own?: boolean
  /** Start a host where none runs and hooks are installed that only a host can hear. */
  readonly starts?: boolean
}

/**
 * Sessions live, for as long as the command runs. Close it, or the command does not end.
 * @throws {LullError} BAD_PLACE where a host, or what runs are published, could be another user's
 */
export async function connect({ own = false, starts = false }: ConnectOptions = {}): Promise<SessionSource> {
  const places = placesOf()
  checkRuntime(places)
  if (!own) {
    const isRunning = (await runningHost(places)) !== undefined
    if (isRunning || (starts && (await hasHooks()) && (await started(places))))
      return hostSessions(places.socket)
  }
  // Loaded where it is needed: with a host nothing of it is.
  const { localSessions } = await import('../sessions/local-sessions.ts')
  return localSessions(realClock(true), {
    stateFolder: places.state,
    runsFolder: places.runs,
    followsTerminals: true,
  })
}

async function hasHooks(): Promise<boolean> {
  const { installedHooks } = await import('../hooks/install/inspect.ts')
  return installedHooks({ places: placesOf(), env: process.env, cwd: process.cwd() }).length > 0
}

/** Without a host everything works but hooks: that it can't start is said, and no reason to stop. */
async function started(places: ReturnType<typeof placesOf>): Promise<boolean> {
  try {
    const { startHost } = await import('../host/start-host.ts')
    await startHost(places)
    return true
  } catch (error) {
    process.stderr.write(`lull: ${(error as Error).message}; hooks are not heard\n`)
    return false
  }
}
