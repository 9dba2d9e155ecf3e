/** Lines to a file descriptor, in their order, without holding up who writes them. Where nobody reads, they are dropped. */
import { write } from 'node:fs'

export type Teller = {
  line(text: string): void
  /** All that was told is written, or there was time enough. */
  flush(): Promise<void>
}

const againMs = 5
const patienceMs = 1000

/** @param end of a line: a terminal in raw mode wants a carriage return as well */
export function createTeller(fd: number, end: () => string): Teller {
  let last = Promise.resolve()
  const put = (bytes: Buffer): Promise<void> =>
    new Promise(resolve => {
      write(fd, bytes, (error, written) => {
        if (error?.code === 'EAGAIN') setTimeout(() => void put(bytes).then(resolve), againMs)
        else if (error || written === bytes.length) resolve()
        else void put(bytes.subarray(written)).then(resolve)
      })
    })
  return {
    line(text) {
      last = last.then(() => put(Buffer.from(`${text}${end()}`)))
    },
    flush: () => Promise.race([last, new Promise<void>(resolve => setTimeout(resolve, patienceMs).unref())]),
  }
}
