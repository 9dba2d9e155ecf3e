/** Follows a file that grows: what was appended since the last look. Truncation and rotation begin it anew. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { longestLine } from '../../core/trace/trace.ts'
import { splitLines } from './lines.ts'

/** At most this much is read at one look, unless one line is longer, and of what was there before the first. */
const mostBytes = 1024 * 1024

/** `isCut`: `offset` lies within a line, whose rest is passed over. */
export type Followed = {
  readonly path: string
  readonly inode: number
  readonly offset: number
  readonly isCut: boolean
}

export const notFollowed = (path: string): Followed => ({ path, inode: 0, offset: 0, isCut: false })

/** `isWhole`: the file was read to its end, as it was then. */
type Appended = { readonly next: Followed; readonly lines: readonly string[]; readonly isWhole: boolean }

/**
 * The whole lines that came since the last look. At the first look the file's last megabyte, without the line that it
 * cuts. A line over the limit is passed over.
 * @throws where the file can't be opened
 */
export function readAppended(from: Followed): Appended {
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
