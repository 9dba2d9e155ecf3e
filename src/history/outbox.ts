/** The entries as an outbox: in the order in which they were added, each reader with a cursor of its own. */
import type { DatabaseSync } from 'node:sqlite'
import { beginCursor, type Cursor, selectCursor, updateCursor } from './cursor-rows.ts'
import type { StoredEntry } from './entry.ts'
import { countAfter, selectNext, selectPrevious } from './entry-rows.ts'

/** @throws {LullError} each as `History.add` does */
export type Outbox = {
  /** The first entry of a kind that was added after the one with this id. */
  next(kind: string, after: number): StoredEntry | undefined
  /** The entry of the same session and kind that was added before this one. */
  previous(entry: StoredEntry): StoredEntry | undefined
  /** How many of a kind were added after the one with this id. */
  countAfter(kind: string, after: number): number
  /** How far a reader has come; undefined if it has no cursor. */
  cursor(name: string): Cursor | undefined
  /** Gives a reader its cursor, unless it has one. */
  begin(name: string, from: 'oldest' | 'newest'): void
  /**
   * Committed when it returns.
   * @returns whether there is such a cursor: a store that was begun anew has none
   */
  move(name: string, to: Cursor): boolean
}

type Store = { use<T>(act: (database: DatabaseSync) => T): T | undefined }

/** @param enter called first, with the name of each method that reads, or that writes */
export const outboxOf = (
  store: Store,
  enter: { readonly read: (method: string) => void; readonly write: (method: string) => void },
): Outbox => ({
  next(kind, after) {
    enter.read('outbox.next')
    return store.use(found => selectNext(found, kind, after))
  },
  previous({ kind, session = '', id }) {
    enter.read('outbox.previous')
    return store.use(found => selectPrevious(found, kind, session, id))
  },
  countAfter(kind, after) {
    enter.read('outbox.countAfter')
    return store.use(found => countAfter(found, kind, after)) ?? 0
  },
  cursor(name) {
    enter.read('outbox.cursor')
    return store.use(found => selectCursor(found, name))
  },
  begin(name, from) {
    enter.write('outbox.begin')
    store.use(found => beginCursor(found, name, from))
  },
  move(name, to) {
    enter.write('outbox.move')
    return store.use(found => updateCursor(found, name, to)) ?? false
  },
})
