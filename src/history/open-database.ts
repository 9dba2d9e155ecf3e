/**
 * A connection to the store. The usual case takes no lock. Whoever finds no store, or none that can be used, makes one
 * under a lock, after another look: two who find the same damage must not move aside what the other has just begun.
 */

import { existsSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { isLullError, LullError } from '../core/lull-error.ts'
import { oneLine } from '../core/text/printable.ts'
import { attempt } from '../os/attempt.ts'
import { acquireLock, type Lock } from '../os/file/lock.ts'
import { isDamage, isUnopenable, refusedStore } from './sqlite-error.ts'
import { hasStore, isWritable, makeStore, moveAside } from './store-file.ts'

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

/** `ours`: of this version. `other`: an SQLite database that is no history, or one without its tables. */
type Layout = 'none' | 'ours' | 'newer' | 'other'

function layoutOf(database: DatabaseSync): Layout {
  const version = numberOf(database, 'PRAGMA user_version')
  if (version > schemaVersion) return 'newer'
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  if (version === 0 && tables.length === 0) return 'none'
  return version === schemaVersion && tables.some(({ name }) => name === 'entries') ? 'ours' : 'other'
}

/** Of an empty store, by whoever alone may change it then. */
function layOut(database: DatabaseSync): void {
  // Pruned pages go back to the file system. SQLite accepts this only before the first page is written.
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

/** Another writer is at it for a millisecond, and for some tens where it prunes. Nothing else runs while one waits. */
const patienceMs = 2000

/** What is written ahead may grow while somebody reads for long; it does not stay as large. */
const largestLeftBytes = 4 * 1024 * 1024

/**
 * @param onNotice called with what a person should know
 * @param isDamaged it was found to be so while it was in use: a fault that opening it does not show
 * @throws {LullError} REFUSED_FILE, BAD_PLACE, BAD_HISTORY, LOCKED
 */
export function openWriter(
  file: string,
  onNotice: (sentence: string) => void,
  isDamaged = false,
): DatabaseSync {
  try {
    if (!isDamaged && hasStore(file)) {
      const opened = tryOpen(file)
      if ('database' in opened) return opened.database
    }
    const lock = lockOf(file)
    try {
      return begin(file, onNotice, isDamaged)
    } finally {
      lock.release()
    }
  } catch (error) {
    throw refusedStore(error, file)
  }
}

/** To be called by who holds the lock. */
function begin(file: string, onNotice: (sentence: string) => void, isDamaged: boolean): DatabaseSync {
  makeStore(file)
  const before = isDamaged ? stillDamaged(file) : tryOpen(file)
  if ('database' in before) return before.database
  if (before.why !== undefined) {
    const to = path.basename(moveAside(file))
    onNotice(`the history was damaged (${before.why}): it lies in ${to} now, and a new one is begun`)
    makeStore(file)
  }
  const database = connect(file)
  return orClosed(database, () => {
    layOut(database)
    return setUp(database)
  })
}

/** @returns undefined where there is none yet */
export function openReader(file: string): DatabaseSync | undefined {
  if (!hasStore(file)) return undefined
  try {
    try {
      return readable(file, file)
    } catch (error) {
      // To read, SQLite makes files beside it. Where none can be made nobody writes, and it can be read as it lies there.
      if (!isUnopenable(error) || existsSync(`${file}-wal`)) throw error
      return readable(file, `${pathToFileURL(file).href}?immutable=1`)
    }
  } catch (error) {
    throw refusedStore(error, file, 'read')
  }
}

/** @param place the file, or its URL */
function readable(file: string, place: string): DatabaseSync | undefined {
  const database = connect(place, { readOnly: true })
  return orClosed(database, () => {
    const layout = layoutOf(database)
    if (layout === 'newer') throw newer(file)
    if (layout === 'other') throw new LullError('BAD_HISTORY', `${file} is no history of lull`)
    if (layout === 'ours') return database
    database.close()
    return undefined
  })
}

/** Without a reason: it is empty, or not there any more. */
type Opened = { readonly database: DatabaseSync } | { readonly why: string | undefined }

/** @throws {LullError} BAD_HISTORY or REFUSED_FILE where it must be left as it is */
function tryOpen(file: string): Opened {
  if (!isWritable(file)) return { why: undefined }
  const database = connect(file)
  try {
    return orClosed(database, () => {
      const layout = layoutOf(database)
      if (layout === 'ours') return { database: setUp(database) }
      database.close()
      if (layout === 'newer') throw newer(file)
      return { why: layout === 'none' ? undefined : 'it is no history of lull' }
    })
  } catch (error) {
    if (isDamage(error)) return { why: (error as Error).message }
    throw error
  }
}

/** Another process may have begun a new one in the meantime, which is whole. */
function stillDamaged(file: string): Opened {
  const opened = tryOpen(file)
  if (!('database' in opened)) return opened
  const { database } = opened
  const found = attempt(() => Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {})[0])
  if (found === 'ok') return opened
  attempt(() => database.close())
  // SQLite reports it in several lines, with a heading.
  return {
    why: typeof found === 'string' ? oneLine(found.replace(/^\*\*\*.*\n/, ''), 200) : 'it can’t be read',
  }
}

function connect(place: string, options: { readonly readOnly?: boolean } = {}): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite()
  return new Database(place, { ...options, timeout: patienceMs })
}

function setUp(database: DatabaseSync): DatabaseSync {
  // A commit is in the file when it returns, which outlives a kill; it is synced at times, so a power cut may cost the last ones.
  database.exec('PRAGMA synchronous = NORMAL')
  database.exec(`PRAGMA journal_size_limit = ${largestLeftBytes}`)
  // What a damaged or planted file has in its schema is not run.
  database.exec('PRAGMA trusted_schema = OFF')
  return database
}

function orClosed<T>(database: DatabaseSync, act: () => T): T {
  try {
    return act()
  } catch (error) {
    attempt(() => database.close())
    throw error
  }
}

const newer = (file: string): LullError =>
  new LullError('BAD_HISTORY', `${file} was written by a newer lull, and is left as it is: update this one`)

/** Held for a few ms, by whoever begins a store. */
function lockOf(file: string): Lock {
  const from = performance.now()
  const word = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    try {
      return acquireLock(`${file}.lock`)
    } catch (error) {
      if (!isLullError(error, 'LOCKED') || performance.now() - from > patienceMs) throw error
    }
    Atomics.wait(word, 0, 0, 10)
  }
}

type Sqlite = { readonly DatabaseSync: typeof DatabaseSync }

/**
 * The versions of Node that call it experimental say so on stderr when it is loaded, which is news to nobody who runs lull.
 * An `import` would say it before any code could keep it back.
 * @throws {LullError} BAD_HISTORY where this Node was built without it
 */
export function loadSqlite(): Sqlite {
  const { emitWarning } = process
  const others = ((warning: string | Error, ...more: unknown[]) => {
    if (!/\bSQLite\b/.test(String(warning))) Reflect.apply(emitWarning, process, [warning, ...more])
  }) as typeof process.emitWarning
  process.emitWarning = others
  try {
    const sqlite: Sqlite | undefined = process.getBuiltinModule('node:sqlite')
    if (sqlite) return sqlite
  } finally {
    process.emitWarning = emitWarning
  }
  throw new LullError('BAD_HISTORY', `the history needs a Node.js with SQLite, and this one has none`)
}
