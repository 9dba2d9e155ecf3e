/**
 * All files are read through this module. A path may lead to something new at any time: a pipe that nobody writes, a device
 * without an end, a terabyte of zeros. Only a plain file is opened, and only so much of it is kept.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { isOwnOrSystem, whoDecides } from '../../../bin/own-folder.js'
import { sentenceFor } from '../../core/error-sentence.ts'
import { LullError } from '../../core/lull-error.ts'
import { attempt } from '../attempt.ts'
import { hasCode } from '../error-code.ts'

/**
 * @param most bytes
 * @param options `isPrivate`: nobody else may read it
 * @returns its text, or a sentence that names the file; undefined where there is no such file
 */
export function readOwnText(
  file: string,
  most: number,
  options: Pick<ReadOptions, 'isPrivate'> = {},
): { readonly text: string } | { readonly wrong: string } | undefined {
  const decider = whoDecides(file)
  if (decider === 'missing' || decider === 'anybody') return undefined
  if (typeof decider === 'object')
    return { wrong: `${file} is not read, since ${decider.other}: it must be yours alone` }
  try {
    return { text: readPlainText(file, { ...options, most, isOwn: true }) }
  } catch (error) {
    const sentence = sentenceFor(error, file)
    if (sentence === undefined) throw error
    return { wrong: sentence }
  }
}

const megabyte = 1024 * 1024
/** Far larger than any file that is read as a whole, and small enough to be read at once. */
const largestWhole = 16 * megabyte

export type ReadOptions = {
  /** The most bytes that it may have; any number where not given. */
  readonly most?: number
  /** Only what belongs to this user or the system. */
  readonly isOwn?: boolean
  /** Only what others can't read. */
  readonly isPrivate?: boolean
  /** Whether it may be read from where it really lies, links followed: asked of what is open. */
  readonly mayLie?: (real: string) => boolean
}

/** What the caller has opened already (`<(…)`, a pipe into lull) is a stream by its choice. */
export const isOpenedByCaller = (file: string): boolean =>
  /^\/(dev\/(fd\/\d+|stdin|stdout|stderr)|proc\/self\/fd\/\d+)$/.test(file)

/**
 * Opens a plain file for reading.
 * @returns its descriptor, which the caller closes
 * @throws {LullError} NOT_A_FILE where it is no plain file, or larger than wanted; the system's own error where it
 * can't be opened
 */
export function openPlain(file: string, options: ReadOptions = {}): number {
  if (isOpenedByCaller(file)) return openSync(file, 'r')
  // Checked before it is opened: opening would wake a pipe's writer, and rewind some devices.
  check(file, statSync(file), options)
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    check(file, fstatSync(fd), options)
    if (options.mayLie?.(realPath(fd, file)) === false)
      throw new LullError('NOT_A_FILE', `${file}: links lead out of where it should lie`)
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** The path of the open file, which its name may no longer lead to; the name's path where the system does not report it. */
const realPath = (fd: number, file: string): string =>
  attempt(() => readlinkSync(`/proc/self/fd/${fd}`)) ?? realpathSync(file)

/** Opens a plain file, and closes it after use. */
export function withPlain<T>(file: string, use: (fd: number) => T, options?: ReadOptions): T {
  const fd = openPlain(file, options)
  try {
    return use(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * All bytes of a plain file.
 * @throws {LullError} NOT_A_FILE where it is none, or larger than `most` (16 MB where not given)
 */
export const readPlain = (file: string, { most = largestWhole, ...options }: ReadOptions = {}): Buffer =>
  withPlain(file, fd => readAll(fd, file, most), { most, ...options })

/** A plain file as text. */
export const readPlainText = (file: string, options?: ReadOptions): string =>
  readPlain(file, options).toString('utf8')

/** All that comes on stdin until its end. @param name its name in sentences */
export const readStdin = (name: string): Buffer => readAll(0, name, largestWhole, readOrWait)

/** All that is left of what is open already. @param name its name in sentences */
function readAll(fd: number, name: string, most: number, read: ReadPiece = readSync): Buffer {
  // One byte more shows that it ends there: a file may grow, and a stream has no size.
  let bytes = Buffer.allocUnsafe(Math.min(fstatSync(fd).size, most) + 1)
  for (let length = 0; ; ) {
    const got = read(fd, bytes, length, bytes.length - length, null)
    length += got
    if (length > most) throw tooLarge(name, most)
    if (got === 0) return bytes.subarray(0, length)
    if (length === bytes.length) bytes = Buffer.concat([bytes], 2 * length + 4096)
  }
}

type ReadPiece = (fd: number, into: Buffer, at: number, most: number, position: null) => number

const readAgainMs = 10

/** A pipe that another program has made one in which nobody waits: its writer may take its time all the same. */
const readOrWait: ReadPiece = (...how) => {
  const word = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    try {
      return readSync(...how)
    } catch (error) {
      if (!hasCode(error, 'EAGAIN')) throw error
    }
    Atomics.wait(word, 0, 0, readAgainMs)
  }
}

function check(file: string, stat: Stats, { most = Infinity, isOwn, isPrivate }: ReadOptions): void {
  if (!stat.isFile()) throw new LullError('NOT_A_FILE', `${file}: is ${kindOf(stat)}, not a file`)
  if (isOwn && !isOwnOrSystem(stat)) throw new LullError('NOT_A_FILE', `${file}: belongs to another user`)
  if (isPrivate && (stat.mode & 0o077) !== 0)
    throw new LullError('NOT_A_FILE', `${file}: others may read it: chmod 600`)
  if (stat.size > most) throw tooLarge(file, most)
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a folder'
  if (stat.isFIFO()) return 'a pipe'
  return stat.isSocket() ? 'a socket' : 'a device'
}

function tooLarge(file: string, most: number): LullError {
  const bound = most < megabyte ? `${most / 1024} kB` : `${most / megabyte} MB`
  return new LullError('NOT_A_FILE', `${file}: is larger than ${bound}`)
}
