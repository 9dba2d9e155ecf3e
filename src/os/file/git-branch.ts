/** The branch that a folder is on, read from git's own files: no program is started. */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../attempt.ts'

/** Its name, or the first eight digits of a commit that is checked out by itself; none outside of a repository. */
export function readBranch(folder: string): string | undefined {
  const git = gitFolder(folder)
  const head =
    git === undefined ? undefined : attempt(() => readFileSync(path.join(git, 'HEAD'), 'utf8').trim())
  if (head === undefined) return undefined
  const named = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1]
  return named ?? (/^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 8) : undefined)
}

/** `.git` of this folder or the nearest above it. In a worktree or submodule it is a file that names another folder. */
function gitFolder(folder: string): string | undefined {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const git = path.join(at, '.git')
    const stat = attempt(() => statSync(git))
    if (stat?.isDirectory()) return git
    if (stat?.isFile()) {
      const named = attempt(() => /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1])
      return named === undefined ? undefined : path.resolve(at, named)
    }
    if (at === path.dirname(at)) return undefined
  }
}
