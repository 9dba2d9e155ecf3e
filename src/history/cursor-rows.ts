/**
 * How far readers have come who pass entries on: the entries are an outbox, and each reader has a cursor in it. The table lies in
 * the store, so that a new store has no cursor of the old one: ids begin anew there.
 */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { boundedName } from './bounded-data.ts'

export type Cursor = {
  /** The id of the last entry that was passed on. */
  readonly entry: number
  /** Why it stays where it is: the reader's own mark. */
  readonly stopped?: string
}

/** An older lull does not look at it: no new version of the schema. */
const layout = `CREATE TABLE IF NOT EXISTS cursors (name TEXT PRIMARY KEY, entry INTEGER NOT NULL, stopped TEXT)`

const hasCursors = (database: DatabaseSync): boolean =>
  database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'cursors'`).get() !==
  undefined

export function selectCursor(database: DatabaseSync, name: string): Cursor | undefined {
  if (!hasCursors(database)) return undefined
  const row = database.prepare('SELECT entry, stopped FROM cursors WHERE name = ?').get(boundedName(name))
  if (!row || typeof row.entry !== 'number') return undefined
  const { entry, stopped } = row
  return { entry, ...(typeof stopped === 'string' ? { stopped } : {}) }
}

/** @param from before all entries that are there, or behind them */
export function beginCursor(database: DatabaseSync, name: string, from: 'oldest' | 'newest'): void {
  database.exec(layout)
  // Not the greatest id that is there: an entry may be pruned, and its id is never given again.
  const newest = `coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entries'), 0)`
  database
    .prepare(`INSERT OR IGNORE INTO cursors (name, entry) VALUES (?, ${from === 'oldest' ? '0' : newest})`)
    .run(boundedName(name))
}

/** @returns whether there is one, and it was moved */
export function updateCursor(database: DatabaseSync, name: string, { entry, stopped }: Cursor): boolean {
  if (!hasCursors(database)) return false
  const { changes } = database
    .prepare('UPDATE cursors SET entry = ?, stopped = ? WHERE name = ?')
    .run(entry, stopped ?? null, boundedName(name))
  return Number(changes) > 0
}

/** Of this store alone, given once. It is kept beside the cursors: a store that is begun anew has another one. */
export function storeName(database: DatabaseSync): string {
  database.exec(
    'CREATE TABLE IF NOT EXISTS store (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL)',
  )
  database.prepare('INSERT OR IGNORE INTO store VALUES (1, ?)').run(randomUUID())
  return String(database.prepare('SELECT name FROM store').get()?.name)
}
