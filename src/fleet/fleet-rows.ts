/** The sessions of all boxes as a viewer has them, and what of them its reader has not read yet. Pure. */
import type { Instant } from '../core/state.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import { addressOn } from './box-address.ts'
import { allOnBox, boxId, boxRow, isId, mostSessions, onBox, unheard } from './box-rows.ts'

type RowChange = Extract<LiveChange, { readonly type: 'changed' | 'gone' }>

export type FleetRows = {
  /** What a box sent. It changes rows of its own only. */
  take(box: string, change: LiveChange): void
  /** A box can't be asked: what was known of it is unknown from then on. */
  lose(box: string, why: string, since: Instant): void
  has(box: string): boolean
  /** The next change that is to be read, or all at once: at first, and where too much was not read. */
  next(): RowChange | 'whole' | undefined
  /** All, which are read with that. */
  whole(): LiveChange
}

/** @param most changes that wait to be read: ids of a box may come and go without end */
export function fleetRows(most: number): FleetRows {
  const rows = new Map<string, LiveSession>()
  /** The latest of each session: a reader who is slow misses what came between. */
  const unread = new Map<string, RowChange>()
  let isWhole = true

  function file(change: RowChange): void {
    const id = change.type === 'gone' ? change.id : change.session.id
    if (change.type === 'gone') rows.delete(id)
    else rows.set(id, change.session)
    if (isWhole) return
    unread.set(id, change)
    if (unread.size <= most) return
    isWhole = true
    unread.clear()
  }

  const show = (session: LiveSession): void => file({ type: 'changed', session })
  const sessionsOf = (box: string): readonly LiveSession[] =>
    [...rows.values()].filter(({ id, host }) => host === box && id !== boxId(box))

  function replace(box: string, sessions: readonly LiveSession[]): void {
    if (rows.has(boxId(box))) file({ type: 'gone', id: boxId(box) })
    const ids = new Set(sessions.map(({ id }) => id))
    for (const { id } of sessionsOf(box))
      if (!ids.has(id)) file({ type: 'gone', id, why: 'it ended while its box was away' })
    for (const session of sessions) show(session)
  }

  function end(box: string, { id, why, shownAs }: RowChange & { readonly type: 'gone' }): void {
    const gone = addressOn(id, box)
    if (!rows.has(gone)) return
    const as = shownAs !== undefined && isId(shownAs) ? { shownAs: addressOn(shownAs, box) } : {}
    file({ type: 'gone', id: gone, ...(why === undefined ? {} : { why: why.slice(0, 400) }), ...as })
  }

  return {
    take(box, change) {
      if (change.type === 'snapshot') return replace(box, allOnBox(change.sessions, box))
      if (change.type === 'gone') return end(box, change)
      const session = onBox(change.session, box)
      if (session && (rows.has(session.id) || sessionsOf(box).length < mostSessions)) show(session)
    },
    lose(box, why, since) {
      const known = rows.get(boxId(box))
      show(boxRow(box, why, known?.session.verdict.since ?? since))
      if (!known) for (const live of sessionsOf(box)) show(unheard(live, `${box} is away: ${why}`, since))
    },
    has: box => rows.has(boxId(box)) || sessionsOf(box).length > 0,
    next() {
      if (isWhole) return 'whole'
      const [first] = unread
      if (!first) return undefined
      unread.delete(first[0])
      return first[1]
    },
    whole() {
      isWhole = false
      unread.clear()
      return { type: 'snapshot', sessions: [...rows.values()] }
    },
  }
}
