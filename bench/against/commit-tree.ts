/** The files of another commit, ready to run, in the temporary folder. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const git = (root: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** @returns undefined where the repository does not have it */
export function commitOf(root: string, ref: string): string | undefined {
  try {
    return git(root, 'rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`)
  } catch {
    return undefined
  }
}

/** Its packages are ours where both lock the same ones, and are installed otherwise. */
export async function checkOut(root: string, commit: string, signal: AbortSignal) {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lull-against-')))
  const tree = path.join(folder, commit.slice(0, 8))
  const close = (): void => {
    rmSync(folder, { recursive: true, force: true })
    git(root, 'worktree', 'prune')
  }
  try {
    git(root, 'worktree', 'add', '--detach', tree, commit)
    const lockOf = (of: string) => readFileSync(path.join(of, 'package-lock.json'), 'utf8')
    if (lockOf(root) === lockOf(tree))
      symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))
    else await outputOf(tree, 'npm', ['ci', '--no-audit', '--no-fund'], signal)
    return { tree, close }
  } catch (error) {
    close()
    throw error
  }
}

export const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some(folder => existsSync(path.join(folder, program)))

export type Output = { readonly printed: string; readonly errors: string; readonly exit: number | null }

/** What a program printed, whatever its exit code. */
export async function outputOf(
  cwd: string,
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Output> {
  const child = spawn(command, args, { cwd, signal, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const [exit] = await once(child, 'close')
  return { printed, errors, exit }
}
