/**
 * Notices files that appear, or are written to, where agents' transcripts lie. Looking for them by name each second
 * would cost more than all the rest; the kernel reports them at no cost.
 */
import { existsSync, type FSWatcher, lstatSync, readdirSync, statSync, watch } from 'node:fs'
import path from 'node:path'
import type { Agent } from '../../agents/kit/agent.ts'
import { matchesGlob, patternsIn } from '../../agents/kit/agent-files.ts'
import { attempt } from '../../os/attempt.ts'
import { findFiles } from '../../os/file/find-files.ts'
import type { AgentProcess } from './agent-search.ts'
import type { Surroundings } from './surroundings.ts'

type PatternWatch = {
  /** Looks for folders that could not be watched yet. */
  renew(): void
  close(): void
}

export type TranscriptWatcher = PatternWatch & {
  /** Watches the folders of an agent's transcripts, as its process sees them. */
  watch(process: AgentProcess, surroundings: Surroundings): void
}

/** Watches each folder once for all sessions of an agent. */
export function watchTranscripts(onFile: (agent: Agent, file: string) => void): TranscriptWatcher {
  const watching = new Map<string, PatternWatch>()
  return {
    watch({ agent }, { env, note }) {
      if (note !== undefined) return
      for (const pattern of patternsIn(agent, agent.files.transcripts, env)) {
        if (!watching.has(pattern))
          watching.set(
            pattern,
            watchPattern(pattern, file => onFile(agent, file)),
          )
      }
    },
    renew() {
      for (const watch of watching.values()) watch.renew()
    },
    close() {
      for (const watch of watching.values()) watch.close()
      watching.clear()
    },
  }
}

/** Levels below the root where a pattern takes any number: a year, a month and a day are three. */
const deepest = 8
/** Folders of a level that are watched: those that were written to last. A new session makes its own the newest. */
const mostFolders = 64
/** In all: the kernel gives a user 8,192 watches at least, for all programs together (inotify(7)). */
const mostWatched = 2048

/**
 * @param pattern an absolute one of the registry: a home, and below it folders and a file with `*` in their names
 * @param onFile called with the file's path
 */
function watchPattern(pattern: string, onFile: (file: string) => void): PatternWatch {
  const watchers = new Map<string, FSWatcher>()
  const segments = path.dirname(pattern).split('/')
  const wild = segments.findIndex(segment => segment.includes('*'))
  const root = segments.slice(0, wild < 0 ? segments.length : wild).join('/')
  const isDeep = segments.includes('**')
  const depth = isDeep ? deepest : segments.length - root.split('/').length

  function follow(folder: string, level: number): void {
    if (watchers.has(folder) || watchers.size >= mostWatched) return
    // To ask costs less than the error that a watch of nothing throws: the root may be missing for ever.
    if (!existsSync(folder)) return
    const watcher = attempt(() =>
      watch(folder, { persistent: false }, (_, name) => {
        if (name === null) return
        const file = path.join(folder, name)
        if (level < depth && isFolder(file)) {
          follow(file, level + 1)
          // What was made in it before it was watched.
          for (const found of findFiles(`${file}/**/*`)) emit(found)
        }
        emit(file)
      }),
    )
    if (!watcher) return
    watcher.on('error', () => leave(folder))
    watchers.set(folder, watcher)
    if (level >= depth) return
    for (const below of newestFolders(folder)) follow(below, level + 1)
  }

  function emit(file: string): void {
    if (matchesGlob(pattern, file)) onFile(file)
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
      if (watchers.has(root)) for (const found of findFiles(pattern)) onFile(found)
    },
    close() {
      for (const folder of [...watchers.keys()]) leave(folder)
    },
  }
}

/** A link may lead to the whole machine: what it leads to is watched where it lies, if that is here. */
const isFolder = (file: string): boolean => attempt(() => lstatSync(file).isDirectory()) === true

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
