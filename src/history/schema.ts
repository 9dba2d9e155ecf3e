/** How the store is laid out, and of which version. */
import type { DatabaseSync } from 'node:sqlite'

/** `PRAGMA user_version`. One more with each change that an older lull would misread. */
const schemaVersion = 1

/**
 * `AUTOINCREMENT`: an id that was given is never given again, also when its entry was the newest and is pruned. The last
 * index holds only what belongs to a run.
 */
const layout = `
CREATE TABLE entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  session TEXT,
  agent TEXT,
  cwd TEXT,
  kind TEXT NOT NULL,
  run TEXT,
  data TEXT
);
CREATE INDEX entries_by_time ON entries (at);
CREATE INDEX entries_by_session ON entries (session, at);
CREATE INDEX entries_by_run ON entries (run, at) WHERE run IS NOT NULL;
PRAGMA user_version = ${schemaVersion};
`

/** `ours`: of this version. `other`: a store of SQLite that is no history, or one whose tables are gone. */
export type Layout = 'none' | 'ours' | 'newer' | 'other'

export function layoutOf(database: DatabaseSync): Layout {
  const version = numberOf(database, 'PRAGMA user_version')
  if (version > schemaVersion) return 'newer'
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  if (version === 0 && tables.length === 0) return 'none'
  return version === schemaVersion && tables.some(({ name }) => name === 'entries') ? 'ours' : 'other'
}

/** Of an empty store, by whoever alone may change it then. */
export function layOut(database: DatabaseSync): void {
  // Room that is pruned goes back to the file system. It must be said before the first page is written.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL')
  database.exec('PRAGMA journal_mode = WAL')
  inTransaction(database, () => database.exec(layout))
}

/** All of it or nothing. It waits for other writers before, not in the midst of it. */
export function inTransaction<T>(database: DatabaseSync, act: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = act()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite may have rolled it back by itself, on a full disk.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** The one figure that a statement answers; 0 where there is none. */
export function numberOf(database: DatabaseSync, sql: string): number {
  const [value] = Object.values(database.prepare(sql).get() ?? {})
  return typeof value === 'number' ? value : 0
}
