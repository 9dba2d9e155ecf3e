/** What the history has of sessions, as commands and the API ask for it. */
import type { EntryFilter, StoredEntry } from '../../history/entry.ts'
import type { History } from '../../history/open-history.ts'
import { findPast } from './find-past.ts'
import { exited, inFull, stateKind } from './session-past.ts'
import { type SessionAway, whileAway } from './while-away.ts'

/**
 * The entries of the sessions that an address means, those of one session together.
 * @param folder what the address means as a folder
 * @throws {LullError} as `findPast` does
 */
export const entriesAt = (
  history: History,
  address: string,
  folder: string,
  filter: EntryFilter,
): readonly StoredEntry[] =>
  findPast(history.lastOfEach(stateKind), address, folder).flatMap(session =>
    history.entries({ ...filter, session }),
  )

type StatesBetween = {
  /** From when on it is whole: later than asked for where older states were left out. */
  readonly since: number
  readonly isCut: boolean
  readonly entries: readonly StoredEntry[]
}

/**
 * The states of all sessions in a time, the oldest first. Begins with the one that each session already had, if it had not ended.
 * @param since and `until`: ms since the epoch
 * @param most so many changes, the newest of them
 */
export function statesBetween(history: History, since: number, until: number, most: number): StatesBetween {
  const found = history.entries({ kinds: [stateKind], since, until, most: most + 1 })
  const cut = found.length > most ? found[0] : undefined
  const from = cut ? cut.at + 1 : since
  const had = history.lastOfEach(stateKind, { before: from, without: exited }).toSorted(byTime)
  return {
    ...{ since: from, isCut: cut !== undefined },
    entries: inFull([...had, ...found.filter(({ at }) => at >= from)]),
  }
}

/** The oldest first; of one instant in the order in which they were added. */
export const byTime = (a: StoredEntry, b: StoredEntry): number => a.at - b.at || a.id - b.id

/** What became of each session since an instant. @param from and `now`: ms since the epoch */
export function awaySince(history: History, from: number, now: number): readonly SessionAway[] {
  const before = history.lastOfEach(stateKind, { before: from, without: exited })
  const entries = history.entries({ kinds: [stateKind], since: from, most: Infinity })
  return whileAway([...before, ...entries], from, now)
}
