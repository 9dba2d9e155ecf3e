/**
 * Output files that a person named (recordings, verdicts, logs) are opened through this module. An existing file may belong to
 * another user, or be a link to one that does, and a pipe may have no reader.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { isOwnOrSystem, userName, whyOpen } from '../../../bin/own-folder.js'
import { isOfMachine } from '../../core/error-sentence.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { whyNot } from '../../core/system-refusal.ts'
import { codeOf, hasCode } from '../error-code.ts'
import { isOpenedByCaller } from './plain-file.ts'

/** `wx`: none is written over. */
export type OutputMode = 'a' | 'w' | 'wx'

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants

/**
 * @param title how messages name it
 * @returns its descriptor; to write into it waits for whoever reads
 * @throws {LullError} USAGE where it is there already, is not this user's alone, or can't be written; NOT_A_FILE where it is
 *   a pipe that nobody reads; REFUSED_FILE where no other name would help
 */
export function openOutput(file: string, how: OutputMode, title: string, cure: string): number {
  try {
    return openSafely(file, how, title)
  } catch (error) {
    if (isLullError(error)) throw error
    const code = codeOf(error)
    if (code === 'EEXIST') throw new LullError('USAGE', `${title} exists: ${cure}`)
    const isNowhere = code === 'ENOENT' || code === 'ENOTDIR'
    const why = isNowhere ? `there is no folder ${path.dirname(path.resolve(file))}` : whyNot(error)
    throw new LullError(isOfMachine(error) ? 'REFUSED_FILE' : 'USAGE', `${title} can't be written: ${why}`)
  }
}

/** As many as Linux follows in one path. */
const mostLinks = 40

/** Links are followed one by one, since another user may have made any of them. */
function openSafely(file: string, how: OutputMode, title: string, links = 0): number {
  const append = how === 'a' ? O_APPEND : 0
  if (isOpenedByCaller(file)) return openWaiting(file, O_WRONLY | append, title)
  const there = how === 'wx' ? undefined : lstatSync(file, { throwIfNoEntry: false })
  if (!there) return openSync(file, O_WRONLY | O_CREAT | O_EXCL | append, 0o600)
  refuseForeign(there, title)
  if (there.isSymbolicLink() && links < mostLinks) {
    const target = path.resolve(realpathSync(path.dirname(file)), readlinkSync(file))
    return openSafely(target, how, title, links + 1)
  }
  const fd = openWaiting(file, O_WRONLY | O_NOFOLLOW | append, title)
  try {
    const stat = fstatSync(fd)
    refuseForeign(stat, title)
    if (how === 'w' && stat.isFile()) {
      ftruncateSync(fd)
      // What stood there was perhaps for all.
      if (stat.uid === process.getuid?.() && (stat.mode & 0o077) !== 0) fchmodSync(fd, 0o600)
    }
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Another user would read it. To a device or a terminal others may write, and read nothing by that. */
function refuseForeign(stat: Stats, title: string): void {
  const open = stat.isFile() || stat.isFIFO() ? whyOpen('it', stat) : undefined
  const why = isOwnOrSystem(stat) ? open : `it belongs to another user (${userName(stat.uid)})`
  if (why !== undefined) throw new LullError('USAGE', `${title}: ${why}: choose another name`)
}

/** A pipe opens at once where somebody reads it, and else not at all. */
function openWaiting(file: string, flags: number, title: string): number {
  let fd: number
  try {
    fd = openSync(file, flags | O_NONBLOCK | O_NOCTTY)
  } catch (error) {
    if (!hasCode(error, 'ENXIO') || !statSync(file).isFIFO()) throw error
    throw new LullError('NOT_A_FILE', `${title}: is a pipe that nobody reads`)
  }
  if (fstatSync(fd).isFile()) return fd
  try {
    return openSync(file, flags | O_NOCTTY)
  } finally {
    closeSync(fd)
  }
}
