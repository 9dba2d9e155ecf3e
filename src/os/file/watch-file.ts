/**
 * Notices when a file changes. `fs.watch` noticed 50 of 50 appends within 0.2 ms
 * (docs/research/ecosystem.md#watching-a-file); it can't watch what is not
 * there yet, loses a file that is replaced, and some file systems report nothing, so callers also poll now and then.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs'
import path from 'node:path'
import { attempt } from '../attempt.ts'

export type FileWatch = {
  /** The kernel notices what happens to this very file. */
  isWatched(): boolean
  /** Watches again where the file has come, or was replaced. */
  renew(): void
  close(): void
}

/** @param onChange called soon after a change, once for several that come together */
export function watchFile(file: string, onChange: () => void): FileWatch {
  let watcher: FSWatcher | undefined
  /** The file does not exist yet: its folder is watched instead. */
  let isFolder = false
  let isDue = false
  let isClosed = false

  function soon(): void {
    if (isDue) return
    isDue = true
    setImmediate(() => {
      isDue = false
      if (!isClosed) onChange()
    })
  }

  function end(): void {
    watcher?.close()
    watcher = undefined
  }

  function renew(): void {
    if (watcher || isClosed) return
    isFolder = !existsSync(file)
    const watched = isFolder ? path.dirname(file) : file
    // To ask costs less than the error that a watch of nothing throws.
    if (isFolder && !existsSync(watched)) return
    watcher = attempt(() => watch(watched, { persistent: false }, onEvent))
    watcher?.on('error', end)
  }

  function onEvent(event: string): void {
    if (isFolder && !existsSync(file)) return
    if (isFolder || event === 'rename') {
      end()
      renew()
    }
    soon()
  }

  renew()
  return {
    isWatched: () => watcher !== undefined && !isFolder,
    renew,
    close() {
      isClosed = true
      end()
    },
  }
}

/** Notices when files in a folder change. One that is not there yet is watched once `renew` finds it. */
export function watchFolder(folder: string, onChange: () => void): Pick<FileWatch, 'renew' | 'close'> {
  let watcher: FSWatcher | undefined
  const renew = () => {
    // To ask costs less than the error that a watch of nothing throws.
    if (watcher || !existsSync(folder)) return
    watcher = attempt(() => watch(folder, { persistent: false }, () => onChange()))
    watcher?.on('error', () => {
      watcher = undefined
    })
  }
  renew()
  return {
    renew,
    close: () => watcher?.close(),
  }
}
