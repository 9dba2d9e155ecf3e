/**
 * A file that grows, like a transcript: its whole lines as they are written, from the last megabyte on. Truncation,
 * rotation and a file that comes back begin it anew.
 */
import { fstatSync, readSync } from 'node:fs'
import { longestLine } from '../../core/trace/trace.ts'
import { hasCode } from '../error-code.ts'
import { splitLines } from './lines.ts'
import { type ReadOptions, withPlain } from './plain-file.ts'
import { type FileWatch, watchFile } from './watch-file.ts'

/** At most this much is read at one look, unless one line is longer, and of what was there before the first. */
const mostBytes = 1024 * 1024
/** What is more than this behind is passed over, but for the last megabyte: no agent writes as much between two looks. */
const mostBehind = 64 * mostBytes

/** `isCut`: `offset` lies within a line; the rest of the line is skipped. `mark`: the last bytes that were read before it. */
export type TailPosition = {
  readonly path: string
  readonly inode: number
  readonly offset: number
  readonly isCut: boolean
  readonly mark: string
}

export const unread = (path: string): TailPosition => ({ path, inode: 0, offset: 0, isCut: false, mark: '' })

/** From its end on; the rest of a line that was begun before is left out. @throws where the file can't be opened */
export const atItsEnd = (path: string): TailPosition =>
  withPlain(path, file => {
    const { ino, size } = fstatSync(file)
    const mark = markBefore(file, size)
    return { path, inode: ino, offset: size, isCut: mark !== '' && !mark.endsWith('\n'), mark }
  })

/** `isWhole`: the file was read to its end, as it was then. `isAnew`: it is not what was read of it before. */
type Appended = {
  readonly next: TailPosition
  readonly lines: readonly string[]
  readonly isWhole: boolean
  readonly isAnew: boolean
}

/** Lines begin alike and end each in a way of its own. */
const markLength = 64

/**
 * The whole lines that came since the last look. At the first look the file's last megabyte, without the line that it
 * cuts. A line over the limit is passed over.
 * @throws where the file can't be opened
 */
export const readAppended = (from: TailPosition, options?: ReadOptions): Appended =>
  withPlain(from.path, file => readFrom(from, file), options)

function readFrom(from: TailPosition, file: number): Appended {
  const { ino, size } = fstatSync(file)
  const isSame = ino === from.inode && size - from.offset < mostBehind && goesOn(from, file, size)
  const start = isSame ? from.offset : Math.max(0, size - mostBytes)
  const isCut = isSame ? from.isCut : start > 0
  const bytes = readWholeLine(file, start, size - start)
  const whole = bytes.lastIndexOf(10) + 1
  const place = { path: from.path, inode: ino }
  if (whole === 0) {
    const isTooLong = bytes.length > longestLine
    const offset = isTooLong ? start + bytes.length : start
    return {
      next: { ...place, offset, isCut: isCut || isTooLong, mark: markBefore(file, offset) },
      lines: [],
      isWhole: !isTooLong,
      isAnew: !isSame,
    }
  }
  const lines = [...splitLines([bytes.subarray(0, whole)])].map(line => line.text)
  return {
    next: { ...place, offset: start + whole, isCut: false, mark: markBefore(file, start + whole) },
    lines: isCut ? lines.slice(1) : lines,
    isWhole: start + bytes.length >= size,
    isAnew: !isSame,
  }
}

/** False where the file was cut or replaced: then other bytes are before the offset. */
const goesOn = ({ offset, mark }: TailPosition, file: number, size: number): boolean =>
  size === offset || (size > offset && markBefore(file, offset) === mark)

function markBefore(file: number, offset: number): string {
  const buffer = Buffer.alloc(Math.min(offset, markLength))
  return buffer
    .subarray(0, readSync(file, buffer, 0, buffer.length, offset - buffer.length))
    .toString('latin1')
}

/** What follows `start`: as much as is read at one look, and more only where no line ends in it. */
function readWholeLine(file: number, start: number, left: number): Buffer {
  const read = (most: number): Buffer => {
    const buffer = Buffer.alloc(Math.min(left, most))
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, start))
  }
  const bytes = read(mostBytes)
  return bytes.includes(10) || bytes.length < mostBytes ? bytes : read(longestLine + 1)
}

export type Tail = {
  readonly path: string
  /** The kernel notices writes. */
  isWatched(): boolean
  /** Reads what has come since the last time. Writes that are noticed are read by themselves. */
  readOn(): void
  /** Why it could not be read at the last look; undefined where it could be, or is not there. */
  failure(): unknown
  close(): void
}

/**
 * @param onLines called with whole lines, in order; the first time with the end of the file as it is.
 * `isAnew`: the file was cut or replaced since, so that some of them may have been there before
 */
export function tailFile(
  path: string,
  onLines: (lines: readonly string[], isAnew: boolean) => void,
  options?: ReadOptions,
): Tail {
  let failure: unknown
  let position: TailPosition = unread(path)
  let isClosed = false
  let wasRead = false
  let isAnew = false
  const watched: FileWatch = watchFile(path, readOn)

  function look(): Appended | undefined {
    try {
      const appended = readAppended(position, options)
      failure = undefined
      return appended
    } catch (error) {
      failure = hasCode(error, 'ENOENT') ? undefined : error
      return undefined
    }
  }

  function readOn(): void {
    watched.renew()
    while (!isClosed) {
      const before = position
      const appended = look()
      // A file that is gone may come back under its old inode: it is another one then.
      position = appended?.next ?? unread(path)
      if (!appended) return
      isAnew ||= wasRead && appended.isAnew
      wasRead ||= appended.lines.length > 0
      if (appended.lines.length > 0) onLines(appended.lines, isAnew)
      const hasMoved = position.offset !== before.offset || position.inode !== before.inode
      if (appended.isWhole || !hasMoved) return
    }
  }

  return {
    path,
    isWatched: watched.isWatched,
    readOn,
    failure: () => failure,
    close() {
      isClosed = true
      watched.close()
    },
  }
}
