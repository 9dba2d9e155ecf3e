/**
 * A file that grows, like a transcript: its whole lines as they are written, from the last megabyte on. Truncation,
 * rotation and a file that comes back begin it anew.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { longestLine } from '../../core/trace/trace.ts'
import { attempt } from '../attempt.ts'
import { splitLines } from './lines.ts'
import { type FileWatch, watchFile } from './watch-file.ts'

/** At most this much is read at one look, unless one line is longer, and of what was there before the first. */
const mostBytes = 1024 * 1024

/** `isCut`: `offset` lies within a line, whose rest is passed over. */
export type TailPosition = {
  readonly path: string
  readonly inode: number
  readonly offset: number
  readonly isCut: boolean
}

export const unread = (path: string): TailPosition => ({ path, inode: 0, offset: 0, isCut: false })

/** `isWhole`: the file was read to its end, as it was then. */
type Appended = { readonly next: TailPosition; readonly lines: readonly string[]; readonly isWhole: boolean }

/**
 * The whole lines that came since the last look. At the first look the file's last megabyte, without the line that it
 * cuts. A line over the limit is passed over.
 * @throws where the file can't be opened
 */
export function readAppended(from: TailPosition): Appended {
  const file = openSync(from.path, 'r')
  try {
    const { ino, size } = fstatSync(file)
    const isSame = ino === from.inode && size >= from.offset
    const start = isSame ? from.offset : Math.max(0, size - mostBytes)
    const isCut = isSame ? from.isCut : start > 0
    const bytes = readWholeLine(file, start, size - start)
    const whole = bytes.lastIndexOf(10) + 1
    const place = { path: from.path, inode: ino }
    if (whole === 0) {
      const isTooLong = bytes.length > longestLine
      return {
        next: { ...place, offset: isTooLong ? start + bytes.length : start, isCut: isCut || isTooLong },
        lines: [],
        isWhole: !isTooLong,
      }
    }
    const lines = [...splitLines([bytes.subarray(0, whole)])].map(line => line.text)
    return {
      next: { ...place, offset: start + whole, isCut: false },
      lines: isCut ? lines.slice(1) : lines,
      isWhole: start + bytes.length >= size,
    }
  } finally {
    closeSync(file)
  }
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
  close(): void
}

/** @param onLines called with whole lines, in order; the first time with the end of what stands in the file already */
export function tailFile(path: string, onLines: (lines: readonly string[]) => void): Tail {
  let position: TailPosition = unread(path)
  let isClosed = false
  const watched: FileWatch = watchFile(path, readOn)

  function readOn(): void {
    watched.renew()
    while (!isClosed) {
      const before = position
      const appended = attempt(() => readAppended(before))
      // A file that is gone may come back under its old inode: it is another one then.
      position = appended?.next ?? unread(path)
      if (!appended) return
      if (appended.lines.length > 0) onLines(appended.lines)
      const hasMoved = position.offset !== before.offset || position.inode !== before.inode
      if (appended.isWhole || !hasMoved) return
    }
  }

  return {
    path,
    isWatched: watched.isWatched,
    readOn,
    close() {
      isClosed = true
      watched.close()
    },
  }
}
