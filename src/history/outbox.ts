/** The entries as an outbox: in the order in which they were added, each reader with a cursor of its own. */
import type { DatabaseSync } from 'node:sqlite'
import { beginCursor, type Cursor, selectCursor, storeName, updateCursor } from './cursor-rows.ts'
import type { StoredEntry } from './entry.ts'
import { countAfter, insertEntry, raiseIds, selectBatch, selectNext, selectPrevious } from './entry-rows.ts'
import { inTransaction } from './open-database.ts'

/** @throws {LullError} each as `History.add` does */
export type Outbox = {
  /** The first entry of a kind that was added after the one with this id. */
  next(kind: string, after: number): StoredEntry | undefined
  /** The entry of the same session and kind that was added before this one. */
  previous(entry: StoredEntry): StoredEntry | undefined
  /**
   * What was added after the entry with this id, in that order: as many as have room in so many characters of JSON, and one at
   * least, if there is any.
   */
  batch(after: number, characters: number): readonly StoredEntry[]
  /** How many were added after the one with this id; of a kind, where one is given. */
  countAfter(kind: string | undefined, after: number): number
  /** What no other store is called: a reader elsewhere knows by it that ids began anew. Undefined where there is no store. */
  store(): string | undefined
  /** No entry that is added from then on has this id, or one before it: readers elsewhere have passed them. */
  passOver(id: number): void
  /** How far a reader has come; undefined if it has no cursor. */
  cursor(name: string): Cursor | undefined
  /** Gives a reader its cursor, unless it has one. */
  begin(name: string, from: 'oldest' | 'newest'): void
  /**
   * Committed when it returns.
   * @returns whether there is such a cursor: a store that was begun anew has none
   */
  move(name: string, to: Cursor): boolean
  /**
   * Adds entries of another store, in their order, each once: those that its cursor has passed are there already.
   * @param name the cursor of that store; it is begun where there is none
   * @param entries with their ids there
   * @returns how many were added
   */
  takeIn(name: string, entries: readonly StoredEntry[]): number
}

type Store = { use<T>(act: (database: DatabaseSync) => T): T | undefined }

/** @param enter called first, with the name of each method that reads, or that writes; `grown` after entries were added */
export const outboxOf = (
  store: Store,
  enter: {
    readonly read: (method: string) => void
    readonly write: (method: string) => void
    readonly grown: () => void
  },
): Outbox => ({
  next(kind, after) {
    enter.read('outbox.next')
    return store.use(found => selectNext(found, kind, after))
  },
  previous({ kind, session = '', id }) {
    enter.read('outbox.previous')
    return store.use(found => selectPrevious(found, kind, session, id))
  },
  batch(after, characters) {
    enter.read('outbox.batch')
    return store.use(found => selectBatch(found, after, characters)) ?? []
  },
  countAfter(kind, after) {
    enter.read('outbox.countAfter')
    return store.use(found => countAfter(found, kind, after)) ?? 0
  },
  store() {
    enter.write('outbox.store')
    return store.use(storeName)
  },
  passOver(id) {
    enter.write('outbox.passOver')
    store.use(found => raiseIds(found, id))
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
  takeIn(name, entries) {
    enter.write('outbox.takeIn')
    const added = store.use(found => inTransaction(found, () => takenIn(found, name, entries))) ?? 0
    enter.grown()
    return added
  },
})

function takenIn(database: DatabaseSync, name: string, entries: readonly StoredEntry[]): number {
  beginCursor(database, name, 'oldest')
  const passed = selectCursor(database, name)?.entry ?? 0
  const added = entries.filter(({ id }) => id > passed)
  for (const { id: _, ...entry } of added) insertEntry(database, entry)
  const last = added.at(-1)
  if (last) updateCursor(database, name, { entry: last.id })
  return added.length
}
