/** When somebody last looked at each session: one small file, which every lull of this user reads and writes. */
import { type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../os/attempt.ts'
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
  /** What was read of it, and as what it stood there: it is asked for with each change of a session. */
  let read: { readonly stat: Stats | undefined; readonly times: ReadonlyMap<string, number> } | undefined

  function times(): ReadonlyMap<string, number> {
    const stat = attempt(() => statSync(file, { throwIfNoEntry: false }))
    if (!read || !isSame(read.stat, stat)) read = { stat, times: timesIn(readJsonFile(file)) }
    return read.times
  }

  return {
    at: id => times().get(id) ?? 0,
    mark(ids, wall) {
      return changeJsonFile(file, before => {
        const all = new Map([...timesIn(before), ...ids.map(id => [id, Math.round(wall)] as const)])
        return Object.fromEntries([...all].sort(([, a], [, b]) => b - a).slice(0, mostKept))
      })
    },
  }
}

/** Each change puts a new file in the place of the old one. */
const isSame = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a?.ino === b?.ino && a?.ctimeMs === b?.ctimeMs && a?.size === b?.size

const timesIn = (entries: Readonly<Record<string, unknown>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(entries).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
