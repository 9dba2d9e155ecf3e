/** When somebody last looked at each session: one small file, which every lull of this user reads and writes. */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { LullError } from '../core/lull-error.ts'
import { isRecord, parseJson } from '../core/trace/trace.ts'
import { attempt } from '../os/attempt.ts'
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
  const read = (): Record<string, number> => {
    const parsed = parseJson(attempt(() => readFileSync(file, 'utf8')) ?? '{}')
    if (!isRecord(parsed)) return {}
    return Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    )
  }
  return {
    at: id => read()[id] ?? 0,
    mark(ids, wall) {
      const all = { ...read(), ...Object.fromEntries(ids.map(id => [id, Math.round(wall)])) }
      const kept = Object.entries(all)
        .sort(([, a], [, b]) => b - a)
        .slice(0, mostKept)
      makeOwnFolder(folder)
      const whole = `${file}.${process.pid}`
      try {
        writeFileSync(whole, `${JSON.stringify(Object.fromEntries(kept))}\n`, { mode: 0o600 })
        renameSync(whole, file)
      } catch (error) {
        rmSync(whole, { force: true })
        throw new LullError('BAD_PLACE', `who was looked at can't be kept: ${(error as Error).message}`)
      }
    },
  }
}
