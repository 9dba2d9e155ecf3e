/** The branch that a folder is on, read from git's own files: no program is started. */
import { lstatSync, statSync } from 'node:fs'
import path from 'node:path'
import { isOwnOrSystem } from '../../../bin/own-folder.js'
import { attempt } from '../attempt.ts'
import { readPlainText } from './plain-file.ts'

/** A branch's name is a line. */
const small = { most: 4096, isOwn: true }

/** Its name, or the first eight digits of a commit that is checked out by itself; none outside of a repository. */
export function readBranch(folder: string): string | undefined {
  const git = gitFolder(folder)
  const head =
    git === undefined ? undefined : attempt(() => readPlainText(path.join(git, 'HEAD'), small).trim())
  if (head === undefined) return undefined
  const named = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1]
  return named ?? (/^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 8) : undefined)
}

/**
 * `.git` of this folder or the nearest above it, as far up as folders are this user's or the system's: in /tmp anybody can
 * make one. In a worktree or submodule it is a file that names another folder.
 */
function gitFolder(folder: string): string | undefined {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (attempt(() => isOwnOrSystem(statSync(at))) !== true) return undefined
    const git = path.join(at, '.git')
    const stat = attempt(() => statSync(git))
    if (stat && ![lstatSync(git), stat].every(isOwnOrSystem)) return undefined
    if (stat?.isDirectory()) return git
    if (stat?.isFile()) {
      const named = attempt(() => /^gitdir: (.+)$/m.exec(readPlainText(git, small))?.[1])
      return named === undefined ? undefined : path.resolve(at, named)
    }
    if (at === path.dirname(at)) return undefined
  }
}
