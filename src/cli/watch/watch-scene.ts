/** What `lull watch` knows when it draws, and the rows that its view lets through. */
import type { Instant } from '../../core.ts'
import { byNeed, needsPerson } from '../../sessions/rank.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { type Row, rowOf } from '../ui/session-rows.ts'
import type { WatchView } from './watch-step.ts'

export type Scene = {
  readonly sessions: readonly LiveSession[]
  readonly via: 'host' | 'own'
  readonly view: WatchView
  readonly now: Instant
  /** ms since the epoch at the machine's monotonic 0 */
  readonly epoch: number
  readonly home: string
  /** A message that is shown once, in place of the list of keys. */
  readonly message?: string
  /** What would make known what is unknown. */
  readonly hint?: string
  /** What became of the selected session, the newest first; once it is read. */
  readonly past?: readonly string[]
}

export type Size = { readonly width: number; readonly height: number }

/** The rows that the view lets through, in their order. */
export function shownRows({ sessions, view, now, epoch, home }: Scene): readonly Row[] {
  const mine = view.onlyMine ? sessions.filter(needsPerson) : sessions
  const wanted = view.filter.toLowerCase()
  return byNeed(mine)
    .map(session => rowOf(session, now, home, epoch))
    .filter(row =>
      [row.state, row.agent, row.id, row.where, row.topic, row.folder, row.branch, row.now]
        .join(' ')
        .toLowerCase()
        .includes(wanted),
    )
}
