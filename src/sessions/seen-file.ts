/** When somebody last looked at each session: one small file, which every lull of this user reads and writes. */
import path from 'node:path'
import { LullError } from '../core/lull-error.ts'
import { readJsonFile, writeJsonFile } from '../os/file/json-file.ts'
import { makeOwnFolder } from '../os/file/places.ts'

export type Seen = {
  /** ms since the epoch; 0 where nobody has. */
  at(id: string): number
  /** @throws {LullError} BAD_PLACE where the file can't be written; the old one stands then */
  mark(ids: readonly string[], wall: number): void
}

/** Sessions end, and nobody tells this file: beyond this many the oldest are forgotten. */
const mostKept = 500

export function openSeen(folder: string): Seen {
  const file = path.join(folder, 'seen.json')
  const read = (): Record<string, number> =>
    Object.fromEntries(
      Object.entries(readJsonFile(file)).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number',
      ),
    )
  return {
    at: id => read()[id] ?? 0,
    mark(ids, wall) {
      const all = { ...read(), ...Object.fromEntries(ids.map(id => [id, Math.round(wall)])) }
      const kept = Object.entries(all)
        .sort(([, a], [, b]) => b - a)
        .slice(0, mostKept)
      makeOwnFolder(folder)
      try {
        writeJsonFile(file, Object.fromEntries(kept))
      } catch (error) {
        throw new LullError('BAD_PLACE', `who was looked at can't be kept: ${(error as Error).message}`)
      }
    },
  }
}
