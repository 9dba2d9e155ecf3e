/** Lines to a file descriptor, in their order, without holding up who writes them. Where nobody reads, they are dropped. */

import type { Printable } from '../core/text/printable.ts'
import { writeAll } from '../os/file/write-all.ts'
import { noteOwnLine } from './own-lines.ts'

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
