/** The secret that hooks over loopback TCP carry. It is kept: with a new one, hooks that were installed would fail silently. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../os/attempt.ts'
import { makeOwnFolder } from '../os/file/places.ts'
import { readPlainText } from '../os/file/plain-file.ts'

/**
 * The token of a state folder; made where there is none.
 * @throws {LullError} BAD_PLACE where others could have put it there
 */
export function readToken(stateFolder: string): string {
  makeOwnFolder(stateFolder)
  const file = path.join(stateFolder, 'token')
  const kept = attempt(() => readPlainText(file, { most: 4096 }).trim())
  if (kept !== undefined && /^[0-9a-f]{64}$/.test(kept)) return kept
  const token = randomBytes(32).toString('hex')
  // Where it can't be kept, the socket takes hooks all the same.
  attempt(() => writeFileSync(file, `${token}\n`, { mode: 0o600 }))
  return token
}
