/**
 * What changes in files under some folders: lines that are appended, and small files that are written anew. So a CLI that
 * is not known yet is recorded with its transcripts, logs and status files. What stood there before is left out.
 */
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import path from 'node:path'
import { LullError } from '../core/lull-error.ts'
import { attempt } from '../os/attempt.ts'
import { readPlainText } from '../os/file/plain-file.ts'
import { atItsEnd, readAppended, type TailPosition, unread } from '../os/file/tail-file.ts'

export type FileListener = {
  onLine(file: string, line: string): void
  /** A small file as it is now; null where it is gone. */
  onContent(file: string, content: string | null): void
  onNotice(sentence: string): void
}

/** More files than any one CLI keeps: it is somebody's home folder. */
const mostFiles = 10_000
/** The largest status file that any agent writes has 1 kB. */
const mostContent = 64 * 1024

type Kind = 'lines' | 'content'

/** By its name: JSON is written anew as a whole, all else grows. */
const kindOf = (file: string): Kind => (path.extname(file) === '.json' ? 'content' : 'lines')

/**
 * Begins at once.
 * @param roots files and folders
 * @returns reads what is left, and ends
 * @throws {LullError} USAGE where one is not there, or holds too many files
 */
export function watchFiles(roots: readonly string[], listener: FileListener): () => void {
  const absolute = roots.map(root => path.resolve(root))
  const positions = new Map<string, TailPosition>()
  const contents = new Map<string, string>()
  const passedOver = new Set<string>()
  const dirty = new Set<string>()

  for (const file of absolute.flatMap(filesBelow)) {
    if (kindOf(file) === 'lines') positions.set(file, atItsEnd(file))
    else contents.set(file, attempt(() => readSmall(file)) ?? '')
  }

  function readContent(file: string): void {
    const before = contents.get(file)
    const size = attempt(() => statSync(file).size)
    if (size === undefined) {
      if (before !== undefined) listener.onContent(file, null)
      contents.delete(file)
      return
    }
    const content = attempt(() => readSmall(file))
    if (content === undefined) passOver(file, `is larger than ${mostContent / 1024} kB and no lines`)
    // While it is written anew it is empty for a moment.
    else if (content !== '' && content !== before) {
      contents.set(file, content)
      listener.onContent(file, content)
    }
  }

  function readLines(file: string): void {
    for (let isWhole = false; !isWhole; ) {
      const read = attempt(() => readAppended(positions.get(file) ?? unread(file)))
      if (!read) {
        positions.delete(file)
        return
      }
      positions.set(file, read.next)
      if (read.lines.some(line => line.includes('\0'))) {
        passOver(file, 'holds bytes that are no text')
        return
      }
      for (const line of read.lines) listener.onLine(file, line)
      isWhole = read.isWhole || read.lines.length === 0
    }
  }

  function passOver(file: string, why: string): void {
    passedOver.add(file)
    listener.onNotice(`${file} ${why}: it is not recorded`)
  }

  function read(file: string): void {
    if (passedOver.has(file) || attempt(() => statSync(file).isFile()) === false) return
    if (kindOf(file) === 'lines') readLines(file)
    else readContent(file)
  }

  /** Several changes that come together are read once. */
  function changed(file: string): void {
    if (dirty.size === 0) setImmediate(readDirty)
    dirty.add(file)
  }

  function readDirty(): void {
    const files = [...dirty]
    dirty.clear()
    for (const file of files) read(file)
  }

  const watchers = absolute.map(root => watchRoot(root, changed))
  return () => {
    for (const watcher of watchers) watcher.close()
    // A folder that came a moment ago may not be watched yet.
    for (const file of new Set([...contents.keys(), ...absolute.flatMap(filesOrNone)])) read(file)
  }
}

function watchRoot(root: string, changed: (file: string) => void): FSWatcher {
  const isFolder = statSync(root).isDirectory()
  const watcher = watch(root, { recursive: isFolder, persistent: false }, (_, name) => {
    if (name !== null) changed(isFolder ? path.join(root, name) : root)
  })
  return watcher.on('error', () => undefined)
}

/** @throws {LullError} USAGE */
function filesBelow(root: string): readonly string[] {
  const stat = attempt(() => statSync(root))
  if (!stat)
    throw new LullError(
      'USAGE',
      `--watch ${root}: no such file or folder: name one that exists, or make it first`,
    )
  if (!stat.isDirectory()) return [root]
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
  if (files.length <= mostFiles) return files
  throw new LullError(
    'USAGE',
    `--watch ${root} holds ${files.length} files: name the folder that the CLI writes to`,
  )
}

const filesOrNone = (root: string): readonly string[] => attempt(() => filesBelow(root)) ?? []

/** @throws where it is too large */
const readSmall = (file: string): string => readPlainText(file, { most: mostContent })
