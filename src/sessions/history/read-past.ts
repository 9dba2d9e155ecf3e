/** What the history has of sessions, as commands and the API ask for it. */
import type { EntryFilter, StoredEntry } from '../../history/entry.ts'
import type { History } from '../../history/open-history.ts'
import { findPast } from './find-past.ts'
import { exited, stateKind } from './session-past.ts'
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

/** What became of each session since an instant. @param from and `now`: ms since the epoch */
export function awaySince(history: History, from: number, now: number): readonly SessionAway[] {
  const before = history.lastOfEach(stateKind, { before: from, without: exited })
  const entries = history.entries({ kinds: [stateKind], since: from, most: Infinity })
  return whileAway([...before, ...entries], from, now)
}
