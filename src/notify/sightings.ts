/** The sessions as the notifications' step was told of them: most of what changes in a session is nothing to it. */
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import { notifySighting } from './occasion.ts'
import type { NotifyHappened, NotifySighting } from './step/notify-state.ts'

export type Sightings = {
  get(id: string): LiveSession | undefined
  /** tmux servers in which sessions run. */
  sockets(): readonly string[]
  /** @returns what the step has to hear of it */
  take(change: LiveChange): NotifyHappened | undefined
}

export function sightings(home: string): Sightings {
  const live = new Map<string, LiveSession>()
  const told = new Map<string, string>()

  function sightingOf(session: LiveSession): NotifySighting {
    live.set(session.id, session)
    const sighting = notifySighting(session, home)
    told.set(session.id, JSON.stringify(sighting))
    return sighting
  }

  return {
    get: id => live.get(id),
    sockets: () => [...new Set([...live.values()].flatMap(({ tmux }) => tmux ?? []))],
    take(change) {
      switch (change.type) {
        case 'snapshot': {
          live.clear()
          told.clear()
          const all = change.sessions.map(session => [session.id, sightingOf(session)] as const)
          return { type: 'snapshot', sessions: Object.fromEntries(all) }
        }
        case 'changed': {
          const { id } = change.session
          const before = told.get(id)
          const sighting = sightingOf(change.session)
          return told.get(id) === before ? undefined : { type: 'seen', session: id, sighting }
        }
        case 'gone':
          live.delete(change.id)
          told.delete(change.id)
          return { type: 'gone', session: change.id }
      }
    },
  }
}
