/** A transcript as it grows: its lines as they are written, from the last megabyte on; other files in its place too. */
import { attempt } from '../attempt.ts'
import { type Followed, notFollowed, readAppended } from './follow-file.ts'
import { type FileWatch, watchFile } from './watch-file.ts'

export type Tail = {
  readonly path: string
  /** True while the kernel tells of writes. */
  isTold(): boolean
  /** Reads what has come since the last look. Writes are told by themselves; this is for those that were not. */
  look(): void
  close(): void
}

/** @param told called with whole lines, in order; at the first look with the end of what stands in the file already */
export function tailFile(path: string, told: (lines: readonly string[]) => void): Tail {
  let followed: Followed = notFollowed(path)
  let isClosed = false
  const watched: FileWatch = watchFile(path, look)

  function look(): void {
    watched.renew()
    while (!isClosed) {
      const before = followed
      const appended = attempt(() => readAppended(before))
      // A file that is gone may come back under its old inode: it is another one then.
      followed = appended?.next ?? notFollowed(path)
      if (!appended) return
      if (appended.lines.length > 0) told(appended.lines)
      const hasMoved = followed.offset !== before.offset || followed.inode !== before.inode
      if (appended.isWhole || !hasMoved) return
    }
  }

  return {
    path,
    isTold: watched.isTold,
    look,
    close() {
      isClosed = true
      watched.close()
    },
  }
}
