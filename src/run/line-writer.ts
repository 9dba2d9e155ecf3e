/** Lines to a file descriptor, in their order, without holding up who writes them. Where nobody reads, they are dropped. */
import { writeAll } from '../os/file/write-all.ts'

export type LineWriter = {
  line(text: string): void
  /** All lines are written, or there was time enough. */
  flush(): Promise<void>
}

const patienceMs = 1000

/** @param end of a line: a terminal in raw mode wants a carriage return as well */
export function createLineWriter(fd: number, end: () => string): LineWriter {
  let last = Promise.resolve()
  return {
    line(text) {
      last = last.then(
        () => new Promise(resolve => writeAll(fd, Buffer.from(`${text}${end()}`), () => resolve())),
      )
    },
    flush: () => Promise.race([last, new Promise<void>(resolve => setTimeout(resolve, patienceMs).unref())]),
  }
}
