/** Puts a new version of a file in its place, whole and at once, and hands back the one that was there. */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { attempt } from '../../os/attempt.ts'
import { hasCode } from '../../os/error-code.ts'
import { exchange } from '../../os/file/exchange.ts'
import { refused } from './install-error.ts'

/** A name beside a file that nobody else knows. */
const besides = (file: string): string =>
  path.join(path.dirname(file), `.${path.basename(file)}.lull-${process.pid}-${randomUUID().slice(0, 8)}`)

/**
 * Writes a file beside another, with its owner and mode, and to the disk.
 * @throws {LullError} INSTALL_REFUSED where there is no room or no right; then nothing is left behind
 */
export function writeBeside(
  file: string,
  content: string,
  like: Pick<Stats, 'mode' | 'uid' | 'gid'>,
): string {
  const beside = besides(file)
  try {
    const fd = openSync(beside, 'wx', 0o600)
    try {
      writeFileSync(fd, content)
      fchownSync(fd, like.uid, like.gid)
      fchmodSync(fd, like.mode & 0o7777)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    return beside
  } catch (error) {
    rmSync(beside, { force: true })
    throw refused(error, file)
  }
}

/** Gives a new file a name that nobody has. False where somebody was quicker. */
export function putNew(beside: string, file: string): boolean {
  try {
    linkSync(beside, file)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw refused(error, file)
  } finally {
    rmSync(beside, { force: true })
  }
}

/**
 * Puts `beside` in the place of `file`.
 * @returns the name under which what was there can still be read; none where there is no file to replace any more. Where
 * the system can't swap, it is what was there a moment before: a version that came by rename in between is lost.
 */
export function putInPlace(beside: string, file: string): string | undefined {
  if (exchange(beside, file)) {
    syncFolder(file)
    return beside
  }
  const old = besides(file)
  try {
    linkSync(file, old)
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    rmSync(old, { force: true })
    if (isGone(error)) return undefined
    throw refused(error, file)
  }
  syncFolder(file)
  return old
}

/**
 * Takes a file away from its name.
 * @returns the name under which it can still be read; none where it was gone
 */
export function takeAway(file: string): string | undefined {
  const old = besides(file)
  try {
    renameSync(file, old)
    return old
  } catch (error) {
    if (isGone(error)) return undefined
    throw refused(error, file)
  }
}

const isGone = (error: unknown): boolean => hasCode(error, 'ENOENT')

/** So that the new name outlives a power cut. Not every file system can. */
function syncFolder(file: string): void {
  attempt(() => {
    const fd = openSync(path.dirname(file), 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  })
}
