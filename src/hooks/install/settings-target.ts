/** Reads a settings file, follows its links, and checks that lull may replace it. */

import { accessSync, constants, lstatSync, readlinkSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeFolder } from '../../../bin/make-folder.js'
import { attempt } from '../../os/attempt.ts'
import { hasCode } from '../../os/error-code.ts'
import { hasWriter } from '../../os/file/exchange.ts'
import { readPlain, withPlain } from '../../os/file/plain-file.ts'
import { leftAsItIs, refused } from './install-error.ts'

/** A program that rewrites its settings in place has them torn for less than this. */
const tornMs = 100
/** How long a program may hold the file open to write before it is taken for one that always does. */
const longestWriteMs = 2000
const lookEveryMs = 5

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * What a file holds, a byte order mark included; undefined where there is none.
 * @throws {LullError} INSTALL_REFUSED where it is no file, too large, or no UTF-8
 */
export function readText(file: string, named: string): string | undefined {
  let bytes: Buffer
  try {
    bytes = readPlain(file)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw refused(error, named)
  }
  const text = attempt(() => decoder.decode(bytes))
  if (text === undefined) throw leftAsItIs(`${named} is no UTF-8 text`)
  return text
}

/** Reads until what is there is whole, or stays torn: then it was left so. */
export async function readWhole(
  file: string,
  named: string,
  isWhole: (text: string) => boolean,
): Promise<string | undefined> {
  for (let waited = 0; ; waited += lookEveryMs) {
    const text = readText(file, named)
    if (text === undefined || isWhole(text) || waited > tornMs) return text
    await pause(lookEveryMs)
  }
}

/** Reads a file that lull has put aside, once nobody can write into it any more. `isFinal` is false where somebody may. */
export async function readLast(file: string, named: string): Promise<{ text: string; isFinal: boolean }> {
  for (let waited = 0; ; waited += lookEveryMs) {
    const text = readText(file, named) ?? ''
    const isWritten = attempt(() => withPlain(file, hasWriter)) ?? waited < tornMs
    if (!isWritten) return { text: readText(file, named) ?? '', isFinal: true }
    if (waited > longestWriteMs) return { text, isFinal: false }
    await pause(lookEveryMs)
  }
}

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
