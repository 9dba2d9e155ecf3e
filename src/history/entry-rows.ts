/** Entries as rows of the store, and back. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { defined } from '../core/defined.ts'
import { lastDate } from '../core/text/last-date.ts'
import { parseJson } from '../core/trace/trace.ts'
import { boundedJson, boundedName } from './bounded-data.ts'
import type { Entry, EntryFilter, JsonValue, LastFilter, StoredEntry } from './entry.ts'

const defaultMost = 10_000

/** A damaged row may tell a time that is none, by what a date can be: it is left out, as nobody can say when it was. */
const isTimed = `at BETWEEN -${lastDate} AND ${lastDate}`

const insertSql =
  'INSERT INTO entries (at, session, agent, cwd, kind, run, data) VALUES (?, ?, ?, ?, ?, ?, ?)'

/** @returns its id */
export function insertEntry(database: DatabaseSync, entry: Entry): number {
  const { at, session, agent, cwd, kind, run, data } = entry
  const values = [
    Math.round(at),
    nameOrNull(session),
    nameOrNull(agent),
    nameOrNull(cwd),
    boundedName(kind),
    nameOrNull(run),
    data === undefined ? null : boundedJson(data),
  ]
  return Number(database.prepare(insertSql).run(...values).lastInsertRowid)
}

/** Ids that are passed over at a time: nobody adds more in a month, and they must not run out. */
const mostPassed = 1e9

/** The next entry has an id after this one. */
export function raiseIds(database: DatabaseSync, id: number): void {
  const raise = `UPDATE sqlite_sequence SET seq = min(?, seq + ${mostPassed}) WHERE name = 'entries' AND seq < ?`
  database.prepare(raise).run(id, id)
}

const nameOrNull = (name: string | undefined): string | null =>
  name === undefined ? null : boundedName(name)

/** The oldest first; of one instant in the order in which they were added. */
export function selectEntries(database: DatabaseSync, filter: EntryFilter): StoredEntry[] {
  const { session, run, kinds, since, until, most = defaultMost } = filter
  const parts: readonly (readonly [string, readonly SQLInputValue[]] | undefined)[] = [
    session === undefined ? undefined : ['session = ?', [boundedName(session)]],
    run === undefined ? undefined : ['run = ?', [boundedName(run)]],
    // As one value, since SQLite takes only so many.
    kinds && ['kind IN (SELECT value FROM json_each(?))', [JSON.stringify(kinds.map(boundedName))]],
    since === undefined ? undefined : ['at >= ?', [since]],
    until === undefined ? undefined : ['at < ?', [until]],
  ]
  const wanted = parts.filter(part => part !== undefined)
  const where = `WHERE ${[isTimed, ...wanted.map(([sql]) => sql)].join(' AND ')}`
  const values = wanted.flatMap(([, given]) => given)
  const select = `SELECT * FROM entries ${where}`
  const isWhole = !Number.isFinite(most)
  const rows = isWhole
    ? database.prepare(`${select} ORDER BY at, id`).iterate(...values)
    : database
        .prepare(`${select} ORDER BY at DESC, id DESC LIMIT ?`)
        .iterate(...values, Math.max(0, Math.floor(most)))
  const entries: StoredEntry[] = []
  // One row at a time: to hold a year of them beside its entries takes more time than to read them.
  for (const row of rows) entries.push(entryOf(row))
  return isWhole ? entries : entries.reverse()
}

/** Each session once, by a leap from one to the next: what lies between is most of a year. */
const eachSession = `WITH RECURSIVE each(session) AS (
  SELECT min(session) FROM entries
  UNION ALL
  SELECT (SELECT min(session) FROM entries WHERE session > each.session) FROM each WHERE each.session IS NOT NULL
)`

const lastSql = `${eachSession} SELECT last.* FROM each CROSS JOIN entries AS last
WHERE last.id = (
  SELECT id FROM entries WHERE session = each.session AND kind = ? AND at < ? AND ${isTimed} ORDER BY at DESC, id DESC LIMIT 1
)`

/** A damaged row without JSON is never left out. */
const withoutSql = 'AND CASE WHEN json_valid(last.data) THEN last.data ->> ? END IS NOT ?'

/** The last entry of a kind that each session has, in no order. */
export function selectLast(database: DatabaseSync, kind: string, filter: LastFilter): StoredEntry[] {
  const { before = Infinity, without } = filter
  const at = Number.isFinite(before) ? before : Number.MAX_SAFE_INTEGER
  const rows = without
    ? database.prepare(`${lastSql} ${withoutSql}`).iterate(boundedName(kind), at, ...without)
    : database.prepare(lastSql).iterate(boundedName(kind), at)
  const entries: StoredEntry[] = []
  for (const row of rows) entries.push(entryOf(row))
  return entries
}

/** The first entry of a kind that was added after the one with this id. */
export function selectNext(database: DatabaseSync, kind: string, after: number): StoredEntry | undefined {
  const sql = `SELECT * FROM entries WHERE id > ? AND kind = ? AND ${isTimed} ORDER BY id LIMIT 1`
  const row = database.prepare(sql).get(after, boundedName(kind))
  return row && entryOf(row)
}

/** The last entry of a session and kind that was added before the one with this id. */
export function selectPrevious(
  database: DatabaseSync,
  kind: string,
  session: string,
  before: number,
): StoredEntry | undefined {
  // The plus keeps SQLite from reading all entries backwards: a session may have its last one a month ago.
  const sql = `SELECT * FROM entries WHERE session = ? AND kind = ? AND +id < ? AND ${isTimed} ORDER BY +id DESC LIMIT 1`
  const row = database.prepare(sql).get(boundedName(session), boundedName(kind), before)
  return row && entryOf(row)
}

/** Those of any kind that were added after the one with this id: as many as have room in so many characters of JSON, and one at least. */
export function selectBatch(database: DatabaseSync, after: number, characters: number): StoredEntry[] {
  const rows = database
    .prepare(`SELECT * FROM entries WHERE id > ? AND ${isTimed} ORDER BY id LIMIT 1000`)
    .iterate(after)
  const entries: StoredEntry[] = []
  let size = 0
  for (const row of rows) {
    const entry = entryOf(row)
    size += JSON.stringify(entry).length
    if (size > characters && entries.length > 0) break
    entries.push(entry)
  }
  return entries
}

/** How many were added after the one with this id; of a kind, where one is given. */
export const countAfter = (database: DatabaseSync, kind: string | undefined, after: number): number =>
  Number(
    kind === undefined
      ? database.prepare('SELECT count(*) AS n FROM entries WHERE id > ?').get(after)?.n
      : database
          .prepare('SELECT count(*) AS n FROM entries WHERE id > ? AND kind = ?')
          .get(after, boundedName(kind))?.n,
  ) || 0

/** When the oldest was, ms since the epoch. */
export function oldestOf(database: DatabaseSync): number | undefined {
  const at = database.prepare(`SELECT min(at) AS at FROM entries WHERE ${isTimed}`).get()?.at
  return typeof at === 'number' ? at : undefined
}

/** A damaged row may hold anything. */
function entryOf(row: Readonly<Record<string, SQLOutputValue>>): StoredEntry {
  const text = (value: SQLOutputValue | undefined) => (typeof value === 'string' ? value : undefined)
  return {
    id: Number(row.id),
    at: Number(row.at),
    kind: text(row.kind) ?? '',
    ...defined({
      session: text(row.session),
      agent: text(row.agent),
      cwd: text(row.cwd),
      run: text(row.run),
      data: parseJson(text(row.data) ?? '') as JsonValue | undefined,
    }),
  }
}
