/** Where sessions come from: the host that runs, else a search by this process itself. The verdicts are the same. */
import { findHost, isFree, whyNoHost } from '../host/find-host.ts'
import { hostSessions } from '../host/host-client.ts'
import { checkRuntime, type Places, placesOf } from '../os/file/places.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import { realClock } from '../track/clock.ts'

export type SourceOptions = {
  /** Search for oneself even if a host runs. */
  readonly own?: boolean
  /** Start a host where none runs and hooks are installed that only a host can receive. */
  readonly startsHost?: boolean
  /** Called with what a person should know: one sentence without a full stop. */
  readonly onNotice?: (sentence: string) => void
}

/**
 * The host, if one answers, or can be started where that is wanted.
 * @param onMute one is there, and can't be asked now
 * @throws {LullError} BAD_PLACE where a host, or what runs are published, could be another user's
 */
export async function hostSource(
  options: SourceOptions,
  onMute?: () => void,
): Promise<SessionSource | undefined> {
  const { own = false, startsHost = false, onNotice } = options
  const places = placesOf()
  checkRuntime(places)
  if (own) return undefined
  const found = await findHost(places)
  if (found.is === 'running') return hostSessions(places.socket)
  if (!isFree(found.is)) {
    onNotice?.(`${whyNoHost(found, places)}; looking for myself`)
    onMute?.()
  } else if (startsHost && (await hasHooks(places)) && (await hasStarted(places, onNotice)))
    return hostSessions(places.socket)
  return undefined
}

/** What this process finds itself, until it is closed. */
export async function ownSource(): Promise<SessionSource> {
  const { state: stateFolder, runs: runsFolder, respawns: respawnsFolder } = placesOf()
  // Loaded where it is needed: with a host nothing of it is.
  const { localSessions } = await import('../sessions/local-sessions.ts')
  return localSessions(realClock(true), { stateFolder, runsFolder, respawnsFolder, followsTerminals: true })
}

async function hasHooks(places: Places): Promise<boolean> {
  const { installedHooks } = await import('../hooks/install/inspect.ts')
  return installedHooks({ places, env: process.env, cwd: process.cwd() }).length > 0
}

/** Without a host everything works but hooks, so a failed start is only a notice. */
async function hasStarted(places: Places, onNotice: SourceOptions['onNotice']): Promise<boolean> {
  try {
    const { startHost } = await import('../host/start-host.ts')
    await startHost(places)
    return true
  } catch (error) {
    onNotice?.(`${(error as Error).message}; hooks are not received`)
    return false
  }
}
