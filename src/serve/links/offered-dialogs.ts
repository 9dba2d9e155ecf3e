/**
 * Dialogs that were offered, for as long as they are asked: each ends when its session stops waiting, or asks something else. A dialog
 * that is known by its screen alone may be asked again later: then it is another one, though nobody could tell them apart.
 */
import type { Lull } from '../../connect/connect.ts'
import type { Clock, Timer } from '../../core/clock.ts'
import type { Instant, WaitingFor } from '../../core/state.ts'
import type { ShownDialog } from '../../drive/dialog/shown-dialog.ts'
import type { LiveChange, LiveSession, SessionSource } from '../../sessions/session-source.ts'

export type OfferedDialog = { readonly session: string; readonly dialog: ShownDialog }

export type OfferPorts = {
  readonly lull: Pick<Lull, 'terminal'>
  readonly changes: SessionSource['changes']
  readonly clock: Pick<Clock, 'now' | 'at'>
}

/** A program may ask the next thing without any other sign of it than its screen: that is looked at again so soon. ms */
const lookMs = 3000

/** @param end called with each that is not asked any more */
export function offeredDialogs<T extends OfferedDialog>(
  { lull, changes, clock }: OfferPorts,
  end: (offer: T) => void,
) {
  const offers = new Set<T>()
  let timer: Timer | undefined
  let isLooking = false
  const waits = followWaits(changes, (session, isOver) => {
    for (const offer of offers) {
      if (session !== undefined && offer.session !== session) continue
      if (isOver) drop(offer)
      else if (isDrawn(offer)) void look(offer)
    }
  })

  function drop(offer: T): void {
    if (offers.delete(offer)) end(offer)
  }

  async function isAsked(offer: T): Promise<boolean> {
    const shown = await shownAt(lull, offer.session)
    const isSame = shown !== undefined && isSameDialog(shown, offer.dialog)
    if (!isSame) drop(offer)
    return isSame
  }

  /** What can't be seen now may still be asked. */
  const look = (offer: T): Promise<unknown> => isAsked(offer).catch(() => undefined)

  function lookLater(): void {
    if (isLooking || ![...offers].some(isDrawn)) return
    isLooking = true
    timer = clock.at(clock.now() + lookMs, async () => {
      await Promise.all([...offers].filter(isDrawn).map(look))
      isLooking = false
      lookLater()
    })
  }

  return {
    /** The dialog of a session that waits. @throws {LullError} where it can't be seen */
    async asked(session: string): Promise<ShownDialog | undefined> {
      await waits.begin()
      const before = waits.of(session)
      const dialog = await shownAt(lull, session)
      const now = waits.of(session)
      // It may have been answered meanwhile.
      return now && !isNext(before, now) ? dialog : undefined
    },
    add(offer: T): void {
      offers.add(offer)
      lookLater()
    },
    drop,
    /** Ends it where it is not. @throws {LullError} where that can't be seen */
    isAsked,
    async close(): Promise<void> {
      timer?.cancel()
      await waits.close()
    },
  }
}

/**
 * Follows what sessions wait for, from the first call on.
 * @param changed called at each change of a session, and whether its wait is over; without a session where nobody tells of them any more
 */
function followWaits(
  changes: SessionSource['changes'],
  changed: (session: string | undefined, isOver: boolean) => void,
) {
  const waits = new Map<string, Wait>()
  let following: Promise<AsyncIterableIterator<LiveChange>> | undefined

  function take(id: string, live: LiveSession | undefined): void {
    const [before, now] = [waits.get(id), live && waitOf(live)]
    if (now) waits.set(id, now)
    else waits.delete(id)
    changed(id, !now || isNext(before, now))
  }

  async function follow(): Promise<AsyncIterableIterator<LiveChange>> {
    const all = await changes()
    const first = await all.next()
    if (!first.done) takeChange(first.value)
    void read(all)
      .catch(() => undefined)
      .finally(forgetAll)
    return all
  }

  async function read(all: AsyncIterableIterator<LiveChange>): Promise<void> {
    for await (const change of all) takeChange(change)
  }

  /** A reader that fell behind gets a snapshot again: what is not in it has gone. */
  function takeChange(change: LiveChange): void {
    if (change.type === 'changed') take(change.session.id, change.session)
    else if (change.type === 'gone') take(change.id, undefined)
    else {
      const found = new Map(change.sessions.map(live => [live.id, live]))
      for (const id of new Set([...waits.keys(), ...found.keys()])) take(id, found.get(id))
    }
  }

  /** Nobody knows what is still asked. */
  function forgetAll(): void {
    following = undefined
    waits.clear()
    changed(undefined, true)
  }

  return {
    async begin(): Promise<void> {
      following ??= follow().catch(error => {
        following = undefined
        throw error
      })
      await following
    },
    of: (session: string): Wait | undefined => waits.get(session),
    async close(): Promise<void> {
      const all = await following?.catch(() => undefined)
      await all?.return?.()
    },
  }
}

async function shownAt(lull: Pick<Lull, 'terminal'>, session: string): Promise<ShownDialog | undefined> {
  await using terminal = await lull.terminal(session, { readOnly: true })
  return await terminal.dialog()
}

/** It is known by its screen alone: the same text again is the same dialog to whoever looks. */
const isDrawn = ({ dialog }: OfferedDialog): boolean => dialog.asked === undefined

/** What a hook reports has an id of its own, whatever of it the screen shows. */
const isSameDialog = (one: ShownDialog, other: ShownDialog): boolean =>
  one.id === other.id || (one.asked !== undefined && one.asked.id === other.asked?.id)

/** Since when a session waits, and for what. */
type Wait = { readonly for: WaitingFor; readonly since: Instant }

function waitOf({ session: { verdict } }: LiveSession): Wait | undefined {
  const { state, since } = verdict
  return state.kind === 'waiting' ? { for: state.for, since } : undefined
}

/** It began anew. What is only known better by now (a dialog that is a permission) is the same. */
const isNext = (before: Wait | undefined, now: Wait): boolean =>
  before?.for === now.for && before.since !== now.since
