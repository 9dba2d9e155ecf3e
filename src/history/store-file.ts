/** The file of the store: where it lies, what may stand there, and how a damaged one gets out of the way. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { isOwnOrSystem } from '../../bin/own-folder.js'
import { notWritten } from '../core/error-sentence.ts'
import { LullError } from '../core/lull-error.ts'
import { hasCode } from '../os/error-code.ts'
import type { Places } from '../os/file/places.ts'

export const storeFile = ({ state }: Places): string => path.join(state, 'history.sqlite')

/** What SQLite keeps beside it: what was written ahead, and the index of that. They belong together. */
const besides = ['-wal', '-shm']

/**
 * Whether the store is there. SQLite would follow a link, and write into what it leads to.
 * @throws {LullError} BAD_PLACE if the path is no regular file, or belongs to another user
 */
export function hasStore(file: string): boolean {
  const [stat] = [file, ...besides.map(end => `${file}${end}`)].map(one => {
    const found = lstatSync(one, { throwIfNoEntry: false })
    if (found && !found.isFile())
      throw new LullError('BAD_PLACE', `${one} is in the way of the history, and is no file: remove it`)
    if (found && !isOwnOrSystem(found)) throw new LullError('BAD_PLACE', `${one} belongs to another user`)
    return found
  })
  return stat !== undefined
}

/**
 * Makes an empty one for this user alone, where there is none: SQLite takes that for a new store, and gives the files
 * beside it the same mode. It is never opened in another way: who closes a file of SQLite's gives back all its locks.
 * @throws {LullError} REFUSED_FILE
 */
export function makeStore(file: string): void {
  try {
    if (!hasStore(file)) {
      // What was written ahead of a store that is gone.
      for (const end of besides) rmSync(`${file}${end}`, { force: true })
      writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
    }
  } catch (error) {
    throw notWritten(error, file)
  }
}

/**
 * What SQLite would open for reading alone, without a word, and what others may read.
 * @returns whether it is there still: another process may have moved it aside just now
 * @throws {LullError} REFUSED_FILE
 */
export function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    if ((lstatSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw notWritten(error, file)
  }
}

/** Distinguishes a file from another at the same path; undefined if there is none. */
export function identityOf(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return stat && `${stat.dev} ${stat.ino}`
}

/** Nothing may have it open in this process. @returns its new name */
export function moveAside(file: string): string {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const name = `${file}.damaged-${time}`
  let to = name
  for (let n = 2; existsSync(to); n++) to = `${name}-${n}`
  try {
    renameSync(file, to)
    for (const end of besides) if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${to}${end}`)
  } catch (error) {
    throw notWritten(error, file)
  }
  return to
}
