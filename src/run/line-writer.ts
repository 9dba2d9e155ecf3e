/** Lines to a file descriptor, in their order, without holding up who writes them. Where nobody reads, they are dropped. */

import type { Printable } from '../core/text/printable.ts'
import { writeAll } from '../os/file/write-all.ts'

/**
 * lull's own lines. Where its stderr is a file that the command writes as well, they are between the command's, and do not count
 * as its output.
 */

/** Lines that were not met yet. More are not written within one look at the file. */
const mostLines = 64
const unmet: Buffer[] = []

/** To be called before a line is written: it may be read back at once. */
function noteOwnLine(line: Buffer): void {
  unmet.push(line)
  if (unmet.length > mostLines) unmet.shift()
}

/** A piece of a file without what lull wrote into it. Each line is met once: what the command repeats of it is the command's. */
export function withoutOwnLines(piece: Buffer): Buffer {
  let rest = piece
  for (const line of [...unmet]) {
    const at = rest.indexOf(line)
    if (at < 0) continue
    unmet.splice(unmet.indexOf(line), 1)
    rest = Buffer.concat([rest.subarray(0, at), rest.subarray(at + line.length)])
  }
  return rest
}

export type LineWriter = ReturnType<typeof createLineWriter>

const patienceMs = 1000

/** @param end of a line: a terminal in raw mode wants a carriage return as well */
export function createLineWriter(fd: number, end: () => string) {
  let last = Promise.resolve()
  return {
    line(text: Printable): void {
      last = last.then(
        () =>
          new Promise(resolve => {
            const line = Buffer.from(`${text}${end()}`)
            noteOwnLine(line)
            writeAll(fd, line, () => resolve())
          }),
      )
    },
    /** All lines are written, or there was time enough. */
    flush: () => Promise.race([last, new Promise<void>(resolve => setTimeout(resolve, patienceMs).unref())]),
  }
}
