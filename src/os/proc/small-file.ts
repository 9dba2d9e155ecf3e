/** Files of /proc, which are small and read often: into one buffer that is kept, in three calls. */
import { closeSync, openSync, readSync } from 'node:fs'

const buffer = Buffer.alloc(16 * 1024)

/** A file's first 16 KB, a character a byte; undefined where it is gone, or may not be read. */
export function readProc(file: string): string | undefined {
  let opened: number | undefined
  try {
    opened = openSync(file, 'r')
    return buffer.toString('latin1', 0, readSync(opened, buffer, 0, buffer.length, null))
  } catch {
    return undefined
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}
