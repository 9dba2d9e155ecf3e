/** Writes to a file descriptor that need not take all at once: a pipe, a terminal. */
import { write } from 'node:fs'

/** Somebody else made it non-blocking, and nothing fits in now: it is asked again, ms. */
const againMs = 2

/**
 * Writes all of the bytes, however slowly they are taken; the event loop is not held up.
 * @param done called once, with the error where nobody takes them any more
 */
export function writeAll(fd: number, bytes: Uint8Array, done: (error?: Error) => void): void {
  write(fd, bytes, (error, written) => {
    if (error?.code === 'EAGAIN') setTimeout(writeAll, againMs, fd, bytes, done)
    else if (error) done(error)
    else if (written < bytes.length) writeAll(fd, bytes.subarray(written), done)
    else done()
  })
}
