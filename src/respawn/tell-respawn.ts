/** The events of a respawn go to their reader, and into the history. */

import type { AsyncQueue } from '../core/async-queue.ts'
import type { Clock } from '../core/clock.ts'
import { defined } from '../core/defined.ts'
import { isLullError } from '../core/lull-error.ts'
import { type History, openHistory } from '../history/open-history.ts'
import type { Places } from '../os/file/places.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import type { RespawnEvent, TimedRespawnEvent } from './respawn-events.ts'

export type Reporter = {
  event(event: RespawnEvent, why: string, text?: string): void
  warning(sentence: string): void
  close(): void
}

export function newReporter({
  clock,
  places,
  queue,
  common,
  named,
}: {
  readonly clock: Clock
  readonly places: Places
  readonly queue: AsyncQueue<TimedRespawnEvent>
  /** The run, and the session that is kept going now. */
  common(): { readonly run: string; readonly live: LiveSession }
  /** Part of each entry. */
  readonly named: { readonly name?: string; readonly plan: string; readonly isDry?: true }
}): Reporter {
  const warning = (sentence: string): void => event({ type: 'warning' }, sentence)
  const history = historyOf(places, warning)

  function event(event: RespawnEvent, why: string, text?: string): void {
    const time = clock.wall()
    const shown = defined({ text })
    queue.push({ ...event, time, why, ...shown })
    const { type, ...rest } = event
    const data = { ...rest, ...shown, ...named, why }
    history.add({ at: time, kind: `respawn.${type}`, ...common(), data })
  }
  return { event, warning, close: () => history.close() }
}

/** A failed write is reported once, and stops nothing. */
function historyOf(places: Places, warn: (sentence: string) => void) {
  let history: History | undefined
  let isReported = false
  function say(why: string): void {
    if (isReported) return
    // First: a warning is an entry of the history, too.
    isReported = true
    warn(`the history does not keep this: ${why}`)
  }
  return {
    add({
      live,
      ...entry
    }: Omit<Parameters<History['add']>[0], 'session'> & { readonly live: LiveSession }): void {
      try {
        history ??= openHistory(places)
        const { id: session, agent, cwd } = live
        const why = history.tryAdd({ ...entry, session, agent, ...(cwd === undefined ? {} : { cwd }) })
        if (why !== undefined) say(why)
      } catch (error) {
        if (!isLullError(error)) throw error
        say(error.message)
      }
    },
    close: () => history?.close(),
  }
}
