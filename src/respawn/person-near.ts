/** Whether a person is at a session's terminal: by the keys that they press there, which lull's own never are. */
import { placesOf } from '../os/file/places.ts'
import { askTmuxWithin } from '../os/tmux/ask-tmux.ts'
import { listOwned } from '../owned/find-owned.ts'
import type { LiveSession } from '../sessions/session-source.ts'

/** A server that does not answer is asked again soon: ms. */
const patienceMs = 500

/**
 * @returns when a person last pressed a key with this terminal before them, ms since the epoch; undefined where nobody has, or
 * nobody can tell
 */
export async function personAt(session: LiveSession): Promise<number | undefined> {
  const { tmux, pane, terminal } = session
  if (terminal !== undefined) {
    const all = await listOwned(placesOf()).catch(() => [])
    return all.find(({ name }) => name === terminal)?.viewedAt
  }
  if (tmux === undefined || pane === undefined) return undefined
  const format = '#{client_activity} #{client_created} #{pane_id}'
  const printed = await askTmuxWithin(patienceMs, tmux, ['list-clients', '-F', format]).catch(() => '')
  const times = [...printed.matchAll(/^(\d+) (\d+) (%\d+)$/gm)]
    .filter(([, , , shown]) => shown === pane)
    // To attach is no key; a client that has just come is a person who looks.
    .map(([, activity, created]) => 1000 * Math.max(Number(activity), Number(created)))
  return times.length === 0 ? undefined : Math.max(...times)
}
