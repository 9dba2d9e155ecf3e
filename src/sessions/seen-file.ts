/** When somebody last looked at each session: one small file, which every lull of this user reads and writes. */
import path from 'node:path'
import { changeJsonFile, readJsonFile } from '../os/file/json-file.ts'

export type Seen = {
  /** ms since the epoch; 0 where nobody has. */
  at(id: string): number
  /** @throws {LullError} as `changeJsonFile` does; what was kept before stands then */
  mark(ids: readonly string[], wall: number): Promise<void>
}

/** Sessions end, and nobody tells this file: beyond this many the oldest are forgotten. */
const mostKept = 500

export function openSeen(folder: string): Seen {
  const file = path.join(folder, 'seen.json')
  return {
    at: id => timesIn(readJsonFile(file)).get(id) ?? 0,
    mark(ids, wall) {
      return changeJsonFile(file, before => {
        const all = new Map([...timesIn(before), ...ids.map(id => [id, Math.round(wall)] as const)])
        return Object.fromEntries([...all].sort(([, a], [, b]) => b - a).slice(0, mostKept))
      })
    },
  }
}

const timesIn = (entries: Readonly<Record<string, unknown>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(entries).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
