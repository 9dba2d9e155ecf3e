/** What is too old, or too much, goes: the oldest first, and its room goes back to the file system. */
import type { DatabaseSync } from 'node:sqlite'
import { inTransaction, numberOf } from './open-database.ts'

export type Retention = {
  /** How long an entry is kept, ms. */
  readonly ageMs: number
  /** How large the store may be. */
  readonly bytes: number
  /** How often a store that stays open is pruned, at the most. */
  readonly everyMs: number
  /** Entries that are deleted, and pages of 4 kB that are given back, in one go: another writer waits for so long. */
  readonly batch: number
  /** Goes that an opening waits for, at the most. With each entry that is added then goes one more, until all is done. */
  readonly batches: number
}

const hour = 60 * 60 * 1000

/** A month is what one looks back on; the size is a stop for what runs wild. */
export const retention: Retention = {
  ageMs: 30 * 24 * hour,
  bytes: 1024 ** 3,
  everyMs: hour,
  batch: 1000,
  batches: 20,
}

/**
 * @param now ms since the epoch
 * @returns whether all is done; else it wants to be called again
 */
export function prune(database: DatabaseSync, now: number, kept: Retention = retention): boolean {
  for (let done = 0; done < kept.batches; done++) {
    const deleted = deleteOldest(database, now, kept)
    const isShrunk = giveBack(database, kept.batch)
    if (deleted === 0 && isShrunk) return true
  }
  return false
}

/** @returns how many went */
function deleteOldest(database: DatabaseSync, now: number, { ageMs, bytes, batch }: Retention): number {
  const oldest = now - ageMs
  // Most of the time nothing is due, and nobody is kept from writing to learn that.
  if (!isAnyBefore(database, oldest) && usedBytes(database) <= bytes) return 0
  return inTransaction(database, () => {
    const old = remove(database, 'WHERE at < ?', [oldest], batch)
    if (old > 0) return old
    const over = usedBytes(database) - bytes
    if (over <= 0) return 0
    // No more than what it is over by: entries are of very different sizes.
    const entries = numberOf(database, 'SELECT count(*) FROM entries')
    const each = usedBytes(database) / Math.max(1, entries)
    return remove(database, '', [], Math.min(batch, Math.ceil(over / each)))
  })
}

const isAnyBefore = (database: DatabaseSync, at: number): boolean =>
  database.prepare('SELECT 1 FROM entries WHERE at < ? LIMIT 1').get(at) !== undefined

function remove(database: DatabaseSync, where: string, values: readonly number[], most: number): number {
  const oldest = `SELECT id FROM entries ${where} ORDER BY at, id LIMIT ?`
  const { changes } = database.prepare(`DELETE FROM entries WHERE id IN (${oldest})`).run(...values, most)
  return Number(changes)
}

const usedBytes = (database: DatabaseSync): number =>
  (numberOf(database, 'PRAGMA page_count') - freePages(database)) * numberOf(database, 'PRAGMA page_size')

const freePages = (database: DatabaseSync): number => numberOf(database, 'PRAGMA freelist_count')

/** @returns whether nothing is left to be given back */
function giveBack(database: DatabaseSync, pages: number): boolean {
  const free = freePages(database)
  if (free === 0) return true
  database.exec(`PRAGMA incremental_vacuum(${pages})`)
  // What was written ahead is taken over, by which the file gets shorter; it waits for nobody.
  database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  const left = freePages(database)
  // A store that was laid out without it never gets smaller.
  return left === 0 || left === free
}
