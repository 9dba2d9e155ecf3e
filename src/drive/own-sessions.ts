/** The sessions of a terminal that was opened by itself: a track of its own. */
import { placesOf } from '../os/file/places.ts'
import { isTerminalName } from '../owned/terminal-name.ts'
import type { LocalSessions } from '../sessions/local-sessions.ts'
import { realClock } from '../track/clock.ts'

/**
 * Loaded and begun with the first question. Terminals that were named are looked at where one may be meant: the
 * name would be that of an agent's folder else.
 */
export function ownSessions(address = process.env.LULL_PANE ?? '') {
  let live: Promise<LocalSessions> | undefined
  const begin = async () => {
    const { localSessions } = await import('../sessions/local-sessions.ts')
    const followsTerminals = isTerminalName(address)
    return localSessions(realClock(true), { stateFolder: placesOf().state, followsTerminals })
  }
  return {
    list: async () => {
      live ??= begin()
      return (await live).list()
    },
    close: async () => (await live)?.close(),
  }
}
