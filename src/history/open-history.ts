/**
 * What happened on this machine, kept: entries are added and read, never changed. Any number of processes may write at
 * once. An entry that was added is committed when `add` returns: a process that is killed then loses nothing.
 */
import type { DatabaseSync } from 'node:sqlite'
import { isLullError, LullError } from '../core/lull-error.ts'
import { openHandle } from '../core/open-handle.ts'
import { attempt } from '../os/attempt.ts'
import { hasOwnFolder, makeOwnFolder, type Places } from '../os/file/places.ts'
import type { Entry, EntryFilter, LastFilter, StoredEntry } from './entry.ts'
import { insertEntry, oldestOf, selectEntries, selectLast } from './entry-rows.ts'
import { openReader, openWriter } from './open-database.ts'
import { type Outbox, outboxOf } from './outbox.ts'
import { prune, type Retention, retention } from './prune.ts'
import { isDamage, refusedStore } from './sqlite-error.ts'
import { identityOf, storeFile } from './store-file.ts'

type Store = {
  /**
   * @returns what `act` does; undefined where there is no store to be read yet
   * @throws {LullError} as `openHistory` does
   */
  use<T>(act: (database: DatabaseSync) => T): T | undefined
  /** As it is open now. */
  database(): DatabaseSync | undefined
  /** A damaged one that was moved aside, in sentences. More may come. */
  readonly notices: readonly string[]
  close(): void
}

/** @throws {LullError} as `openHistory` does */
function openStore(places: Places, readOnly: boolean): Store {
  const file = storeFile(places)
  const notices: string[] = []
  let database: DatabaseSync | undefined
  let identity: string | undefined

  function open(isDamaged = false): DatabaseSync | undefined {
    attempt(() => database?.close())
    database = undefined
    // Taken before: what is moved aside while it is opened is opened again, not written to for ever.
    const found = attempt(() => identityOf(file))
    if (readOnly) {
      database = hasOwnFolder(places.state) ? openReader(file) : undefined
    } else {
      makeOwnFolder(places.state)
      database = openWriter(file, notice => notices.push(notice), isDamaged)
    }
    identity = found ?? identityOf(file)
    return database
  }

  /** What is written into a file that was removed, or moved aside by another process, nobody would ever read. */
  const current = (): DatabaseSync | undefined =>
    database && identityOf(file) === identity ? database : open()

  open()
  return {
    /** Damage that shows only now is mended as well: once. */
    use(act) {
      try {
        const found = current()
        return found && act(found)
      } catch (error) {
        if (readOnly || !isDamage(error)) throw refusedStore(error, file, readOnly ? 'read' : 'written')
      }
      try {
        const mended = open(true)
        return mended && act(mended)
      } catch (error) {
        throw refusedStore(error, file)
      }
    },
    database: () => database,
    notices,
    close() {
      attempt(() => database?.close())
      database = undefined
    },
  }
}

export type HistoryOptions = {
  /** Adds nothing, makes nothing and mends nothing. Where there is no history yet, it has no entries. */
  readonly readOnly?: boolean
  /** What is kept; for tests. */
  readonly kept?: Partial<Retention>
  /** ms since the epoch, by which entries are old; for tests. */
  readonly now?: () => number
}

export type History = {
  /**
   * Adds an entry; committed when it returns.
   * @returns its id
   * @throws {LullError} CLOSED; USAGE where it was opened to be read; REFUSED_FILE (a full disk, a read-only one), BAD_PLACE, BAD_HISTORY, LOCKED: then it is not added
   */
  add(entry: Entry): number
  /**
   * The same for who goes on without.
   * @returns why it was not added, in a sentence; undefined where it was
   */
  tryAdd(entry: Entry): string | undefined
  /**
   * The oldest first; of one instant in the order in which they were added.
   * @throws {LullError} as `add` does
   */
  entries(filter?: EntryFilter): readonly StoredEntry[]
  /**
   * The last entry of a kind that each session has, before an instant where one is given; in no order.
   * @throws {LullError} as `add` does
   */
  lastOfEach(kind: string, filter?: LastFilter): readonly StoredEntry[]
  /**
   * When the oldest entry was, ms since the epoch; undefined where there is none.
   * @throws {LullError} as `add` does
   */
  begin(): number | undefined
  /** For readers that pass entries on. */
  readonly outbox: Outbox
  /** What a person should know, in sentences: a damaged store that was moved aside. More may come while it is open. */
  readonly notices: readonly string[]
  close(): void
}

/**
 * @throws {LullError} BAD_PLACE where its folder or file is not safely this user's, REFUSED_FILE where the system refuses it,
 *   BAD_HISTORY where a newer lull wrote it, this Node has no SQLite, or it is damaged and `readOnly`; LOCKED
 */
export function openHistory(
  places: Places,
  { readOnly = false, kept, now = () => Date.now() }: HistoryOptions = {},
): History {
  const limits = { ...retention, ...kept }
  const handle = openHandle('the history is closed: open it again')
  const store = openStore(places, readOnly)
  let nextPrune = -Infinity

  /** A failure is ignored: the next write reports its own error. */
  function pruneWhenDue(batches: number): void {
    const instant = now()
    // A clock that was set back is no reason to wait.
    if (readOnly || (instant < nextPrune && instant > nextPrune - 2 * limits.everyMs)) return
    const isDone = attempt(() => pruned(instant, batches)) ?? true
    nextPrune = isDone ? instant + limits.everyMs : instant
  }

  function pruned(instant: number, batches: number): boolean | undefined {
    const database = store.database()
    return database && prune(database, instant, { ...limits, batches })
  }

  function enterToWrite(method: string): void {
    handle.enter(method)
    if (readOnly) throw new LullError('USAGE', `${method}: this history was opened to be read`)
  }

  const history: History = {
    add(entry) {
      enterToWrite('add')
      const id = store.use(found => insertEntry(found, entry)) as number
      pruneWhenDue(1)
      return id
    },
    tryAdd(entry) {
      try {
        history.add(entry)
        return undefined
      } catch (error) {
        if (isLullError(error)) return error.message
        throw error
      }
    },
    entries(filter = {}) {
      handle.enter('entries')
      return store.use(found => selectEntries(found, filter)) ?? []
    },
    lastOfEach(kind, filter = {}) {
      handle.enter('lastOfEach')
      return store.use(found => selectLast(found, kind, filter)) ?? []
    },
    begin() {
      handle.enter('begin')
      return store.use(oldestOf)
    },
    outbox: outboxOf(store, { read: handle.enter, write: enterToWrite, grown: () => pruneWhenDue(1) }),
    notices: store.notices,
    close() {
      handle.close()
      store.close()
    },
  }
  pruneWhenDue(limits.batches)
  return history
}
