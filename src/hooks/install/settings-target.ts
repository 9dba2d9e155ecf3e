/** The file that a settings path leads to, and whether lull may put another in its place. */

import { accessSync, constants, lstatSync, readlinkSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../../../bin/make-folder.js'
import { attempt } from '../../os/attempt.ts'
import { leftAsItIs, refused } from './install-error.ts'

export type SettingsTarget = {
  /** The file itself, behind all symbolic links. */
  readonly path: string
  /** None where there is no such file yet. */
  readonly stat?: Stats
}

/** Links are followed by hand: the last one may lead to a file that is not there yet. */
const mostLinks = 40

/**
 * Follows symbolic links, and checks that the file may be written.
 * @throws {LullError} INSTALL_REFUSED where it may not: read-only (also for root), another user's, a file with several
 *   names, no file
 */
export function targetOf(file: string): SettingsTarget {
  const target = behindLinks(file)
  const stat = attempt(() => lstatSync(target))
  if (!stat) return { path: target }
  const named = file === target ? file : `${file} (${target})`
  if (!stat.isFile()) throw leftAsItIs(`${named} is no regular file`)
  if ((stat.mode & 0o222) === 0) throw leftAsItIs(`${named} is read-only: chmod u+w it first`)
  if (stat.nlink > 1)
    throw leftAsItIs(`${named} has ${stat.nlink} names (hard links), which a new version would part`)
  const user = process.getuid?.() ?? stat.uid
  if (user !== 0 && stat.uid !== user) throw leftAsItIs(`${named} belongs to another user`)
  checkFolder(path.dirname(target))
  return { path: target, stat }
}

function behindLinks(file: string): string {
  let at = path.resolve(file)
  for (let links = 0; links < mostLinks; links++) {
    const to = attempt(() => readlinkSync(at))
    if (to === undefined) return at
    at = path.resolve(path.dirname(at), to)
  }
  throw leftAsItIs(`${file}: its symbolic links lead in a circle`)
}

/** Makes the folder of a file that is to come, for this user only. */
export function makeFolderOf(file: string): void {
  const folder = path.dirname(file)
  try {
    makeFolder(folder, 0o700)
  } catch (error) {
    throw refused(error, folder)
  }
  checkFolder(folder)
}

function checkFolder(folder: string): void {
  const stat = attempt(() => statSync(folder))
  const mayWrite = attempt(() => accessSync(folder, constants.W_OK | constants.X_OK) ?? true)
  if (stat && (stat.mode & 0o222) !== 0 && mayWrite) return
  throw leftAsItIs(`the folder ${folder} is read-only for this user`)
}
