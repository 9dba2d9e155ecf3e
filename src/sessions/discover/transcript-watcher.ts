/**
 * Told of files that appear, or are written to, where an agent's transcripts lie. Looking for them by name each second
 * would cost more than all the rest; the kernel tells for nothing.
 */
import { type FSWatcher, globSync, readdirSync, statSync, watch } from 'node:fs'
import path from 'node:path'
import { matchesGlob } from '../../agents/kit/agent-files.ts'
import { attempt } from '../../os/attempt.ts'

export type Stirs = {
  /** Looks for folders that could not be watched yet. */
  renew(): void
  close(): void
}

/** Folders of a level that are watched: those that were written to last. A new session makes its own the newest. */
const mostFolders = 64

/**
 * @param pattern an absolute one of the registry, such as `/home/dev/.claude/projects/*` + `/*.jsonl`
 * @param told called with the file's path
 */
export function watchTranscripts(pattern: string, told: (file: string) => void): Stirs {
  const watchers = new Map<string, FSWatcher>()
  const segments = path.dirname(pattern).split('/')
  const wild = segments.findIndex(segment => segment.includes('*'))
  const root = segments.slice(0, wild < 0 ? segments.length : wild).join('/')
  const isDeep = segments.includes('**')
  const depth = isDeep ? Infinity : segments.length - root.split('/').length

  function follow(folder: string, level: number): void {
    if (watchers.has(folder)) return
    const watcher = attempt(() =>
      watch(folder, { persistent: false }, (_, name) => {
        if (name === null) return
        const file = path.join(folder, name)
        if (level < depth && isFolder(file)) {
          follow(file, level + 1)
          // What was made in it before it was watched.
          for (const found of attempt(() => globSync(`${file}/**/*`)) ?? []) tell(found)
        }
        tell(file)
      }),
    )
    if (!watcher) return
    watcher.on('error', () => leave(folder))
    watchers.set(folder, watcher)
    if (level >= depth) return
    for (const below of newestFolders(folder)) follow(below, level + 1)
  }

  function tell(file: string): void {
    if (matchesGlob(pattern, file)) told(file)
  }

  function leave(folder: string): void {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  follow(root, 0)
  return {
    renew() {
      if (watchers.has(root)) return
      follow(root, 0)
      // What was written before the first folder could be watched.
      if (watchers.has(root)) for (const found of attempt(() => globSync(pattern)) ?? []) told(found)
    },
    close() {
      for (const folder of [...watchers.keys()]) leave(folder)
    },
  }
}

const isFolder = (file: string): boolean => attempt(() => statSync(file).isDirectory()) === true

function newestFolders(folder: string): string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []
  return entries
    .filter(entry => entry.isDirectory())
    .map(entry => path.join(folder, entry.name))
    .map(file => ({ file, at: attempt(() => statSync(file).mtimeMs) ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .slice(0, mostFolders)
    .map(({ file }) => file)
}
