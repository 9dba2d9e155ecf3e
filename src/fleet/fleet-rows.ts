/** The sessions of all boxes as a viewer has them, and what of them its reader has not read yet. Pure. */
import type { Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import { addressOn } from './box-address.ts'
import { allOnBox, boxId, boxRow, hasRoom, isId, onBox, type Sized, sized, unheard } from './box-rows.ts'

type RowChange = Extract<LiveChange, { readonly type: 'changed' | 'gone' }>

export type FleetRows = {
  /** What a box sent. It changes rows of its own only, and of one that is away a snapshot alone does. */
  take(box: string, change: LiveChange): void
  /** A box can't be asked: what was known of it is unknown from then on. */
  lose(box: string, why: string, since: Instant): void
  /** It is no box any more: its rows go. */
  forget(box: string, why: string): void
  has(box: string): boolean
  /** The next change that is to be read, or all at once: at first, and where too much was not read. */
  next(): RowChange | 'whole' | undefined
  /** All, which are read with that. */
  whole(): LiveChange
}

/** @param most changes that wait to be read, by now: ids of a box may come and go without end */
export function fleetRows(most: () => number): FleetRows {
  const rows = new Map<string, LiveSession>()
  const sizes = new Map<string, number>()
  const unread = unreadChanges(most)

  function show({ live, size }: Sized): void {
    rows.set(live.id, live)
    sizes.set(live.id, size)
    unread.file(live.id, { type: 'changed', session: live })
  }

  function drop(gone: Gone): void {
    rows.delete(gone.id)
    sizes.delete(gone.id)
    unread.file(gone.id, gone)
  }

  const sessionsOf = (box: string) => [...rows.values()].filter(row => isSessionOf(box, row))

  function replace(box: string, sessions: readonly Sized[]): void {
    if (rows.has(boxId(box))) drop({ type: 'gone', id: boxId(box) })
    const ids = new Set(sessions.map(({ live }) => live.id))
    for (const { id } of sessionsOf(box))
      if (!ids.has(id)) drop({ type: 'gone', id, why: 'it ended while its box was away' })
    for (const session of sessions) show(session)
  }

  function change(box: string, told: LiveSession): void {
    const shown = onBox(told, box)
    const others = sessionsOf(box).flatMap(({ id }) => (id === shown?.live.id ? [] : (sizes.get(id) ?? 0)))
    if (shown && hasRoom(others, shown.size)) show(shown)
    // What it was is not so any more.
    else end(box, { type: 'gone', id: told.id, why: 'it is too large to be shown' })
  }

  function end(box: string, told: Gone): void {
    const gone = goneOn(box, told)
    if (rows.has(gone.id)) drop(gone)
  }

  return {
    take(box, told) {
      if (told.type === 'snapshot') return replace(box, allOnBox(told.sessions, box))
      if (rows.has(boxId(box))) return
      if (told.type === 'gone') end(box, told)
      else change(box, told.session)
    },
    lose(box, why, since) {
      const known = rows.get(boxId(box))
      const from = known?.session.verdict.since ?? since
      show(sized(boxRow(box, why, from)))
      for (const live of sessionsOf(box))
        if (!known || live.session.verdict.state.kind !== 'unknown')
          show(sized(unheard(live, `${box} is away: ${why.replace(`${box}: `, '')}`, from)))
    },
    forget(box, why) {
      for (const { id, host } of [...rows.values()]) if (host === box) drop({ type: 'gone', id, why })
    },
    has: box => rows.has(boxId(box)) || sessionsOf(box).length > 0,
    next: unread.next,
    whole() {
      unread.clear()
      return { type: 'snapshot', sessions: [...rows.values()] }
    },
  }
}

/** What a reader has not read yet: the latest of each session, as a slow one misses what came between. */
function unreadChanges(most: () => number) {
  const changes = new Map<string, RowChange>()
  let isWhole = true
  return {
    file(id: string, change: RowChange): void {
      if (isWhole) return
      changes.set(id, change)
      if (changes.size <= most()) return
      isWhole = true
      changes.clear()
    },
    next(): RowChange | 'whole' | undefined {
      if (isWhole) return 'whole'
      const [first] = changes
      if (!first) return undefined
      changes.delete(first[0])
      return first[1]
    },
    /** All is read. */
    clear(): void {
      isWhole = false
      changes.clear()
    },
  }
}

const isSessionOf = (box: string, { id, host }: LiveSession): boolean => host === box && id !== boxId(box)

type Gone = RowChange & { readonly type: 'gone' }

function goneOn(box: string, { id, why, shownAs }: Gone): Gone {
  const as = shownAs !== undefined && isId(shownAs) ? { shownAs: addressOn(shownAs, box) } : {}
  return {
    type: 'gone',
    id: addressOn(id, box),
    ...(why === undefined ? {} : { why: oneLine(why, 400) }),
    ...as,
  }
}
