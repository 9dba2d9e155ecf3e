/** The sessions that a host had when it published last, for a viewer that never saw it: nobody knows what they do now. Pure. */
import { defined } from '../../core/defined.ts'
import { newSession } from '../../core/session.ts'
import type { Instant } from '../../core/state.ts'
import type { StoredEntry } from '../../history/entry.ts'
import { readPast } from '../../sessions/history/session-past.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { readBoxAddress } from '../box-address.ts'

/**
 * @param last the last state of each session that has not ended
 * @param since when the host was heard of last
 * @returns with the ids that they have there
 */
export function pastRows(last: readonly StoredEntry[], host: string, since: Instant): readonly LiveSession[] {
  return last.flatMap(entry => {
    const { session, box } = readBoxAddress(entry.session ?? '')
    const past = box === host ? readPast(entry) : undefined
    if (!past) return []
    const { name, pid = 0, place, window, terminal, title } = past
    return {
      ...{ id: session, agent: entry.agent ?? 'terminal', pid, hooks: 'unknown', isSeen: true },
      ...defined({ name, place, window, terminal, title, cwd: entry.cwd }),
      session: newSession(since),
    } as const
  })
}
