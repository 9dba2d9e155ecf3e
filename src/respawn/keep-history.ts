/** The ledger of a respawn: its entries in the history, and a word where it can't be kept. */
import { isLullError } from '../core/lull-error.ts'
import { type History, openHistory } from '../history/open-history.ts'
import type { Places } from '../os/file/places.ts'
import type { LiveSession } from '../sessions/session-source.ts'

/** What can't be kept is said once, and keeps nothing from going on. */
export function historyOf(places: Places, warn: (sentence: string) => void) {
  let history: History | undefined
  let isTold = false
  function say(why: string): void {
    if (isTold) return
    // First: a warning is an entry of the history, too.
    isTold = true
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
