/** A history of a test's own, and processes that write into it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Entry, StoredEntry } from '../../src/history/entry.ts'
import { loadSqlite } from '../../src/history/open-database.ts'
import { storeFile } from '../../src/history/store-file.ts'
import { type Places, placesOf } from '../../src/os/file/places.ts'
import { endWithTest } from './end-with-test.ts'
import { temporaryFolder } from './lull.ts'

export const placesIn = (folder: string): Places =>
  placesOf({ HOME: folder, XDG_STATE_HOME: folder, LULL_RUNTIME_DIR: path.join(folder, 'run') })

export function newPlaces(): { readonly places: Places; readonly file: string } {
  const places = placesIn(temporaryFolder())
  return { places, file: storeFile(places) }
}

export const entryAt = (at: number, more: Partial<Entry> = {}): Entry => ({ at, kind: 'typed', ...more })

export const withoutId = ({ id: _, ...entry }: StoredEntry): Entry => entry

/** The store as SQLite itself has it. */
export function ask(file: string, sql: string): readonly Readonly<Record<string, unknown>>[] {
  const database = new (loadSqlite().DatabaseSync)(file)
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

export const integrityOf = (file: string): unknown => ask(file, 'PRAGMA integrity_check')[0]?.integrity_check

const module = (name: string): string =>
  pathToFileURL(fileURLToPath(new URL(`../../src/history/${name}.ts`, import.meta.url))).href

/** What a process has at hand that runs `body`; `places` are those of the folder. */
export const scriptIn = (folder: string, body: string): string => `
import { openHistory } from ${JSON.stringify(module('open-history'))}
const places = ${JSON.stringify(placesIn(folder))}
${body}`

export type Writer = { readonly child: ChildProcess; printed(): string; ended(): Promise<string> }

/** A process that runs `body` with `openHistory` and `places`; what it prints on both streams. */
export function startWriter(folder: string, body: string, node = process.execPath): Writer {
  const args = ['--input-type=module', '--experimental-strip-types', '-e', scriptIn(folder, body)]
  const child = spawn(node, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  endWithTest(child)
  const ended = once(child, 'close')
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', piece => {
      printed += piece
    })
  return { child, printed: () => printed, ended: () => ended.then(() => printed) }
}
