/**
 * The files that match a pattern. Below its fixed part no link is followed: one to `/` would be the whole machine. What
 * lies there is found under its own name.
 */
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { matchesGlob } from '../../agents/kit/agent-files.ts'
import { attempt } from '../attempt.ts'

/** A search ends, whatever lies there: it is more than a person's sessions of years. */
const mostEntries = 50_000
/** A year, a month and a day are three. */
const deepest = 8

/** @param pattern an absolute path; `*` in it matches one name or a part of it, `**` for any number of folders */
export function findFiles(pattern: string): string[] {
  const parts = pattern.split('/')
  const fixed = parts.findIndex(part => part.includes('*'))
  if (fixed < 0) return existsSync(pattern) ? [pattern] : []
  const found: string[] = []
  let left = mostEntries

  function entriesOf(folder: string): Dirent[] {
    if (left <= 0) return []
    const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []
    left -= entries.length
    return entries
  }

  function walk(folder: string, at: number, depth: number): void {
    const part = parts[at] ?? ''
    const isDeep = part === '**'
    const isLast = at === parts.length - 1
    // The newest first, where names are dates.
    const entries = entriesOf(folder).sort((a, b) => (a.name < b.name ? 1 : -1))
    for (const entry of entries) {
      const below = path.join(folder, entry.name)
      // A folder with a file's name is found as well: opening it fails with an error.
      const isFound = (isDeep || isLast) && (!entry.isDirectory() || parts.at(-1) !== '*')
      if (isFound && matchesGlob(pattern, below)) found.push(below)
      if (!entry.isDirectory()) continue
      if (depth < deepest && (isDeep || (!isLast && matchesGlob(part, entry.name))))
        walk(below, isDeep ? at : at + 1, depth + 1)
    }
  }

  walk(parts.slice(0, fixed).join('/') || '/', fixed, 0)
  return found
}
