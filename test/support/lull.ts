/** The command line as people call it: a process of its own. */
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownProgram } from '../../src/os/spawn/own-program.ts'

/** `npm test` names that of the built package, as users have it: it starts faster, too. */
export const bin = process.env.LULL_BIN ?? ownProgram

/** The folder of the package that `npm test` has built, and names. */
export const builtPackage =
  process.env.LULL_BIN === undefined ? undefined : path.resolve(process.env.LULL_BIN, '../..')

export type Run = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs `lull ARGS`; `node` holds options of Node itself, `env` changes of the environment. */
export const lull = (args: readonly string[], node: readonly string[] = [], env: object = {}): Promise<Run> =>
  lullFrom(bin, args, node, env)

/** @param program its `bin/lull.js` */
export function lullFrom(
  program: string,
  args: readonly string[],
  node: readonly string[],
  env: object,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: 50_000, env: { ...process.env, ...env } }
    execFile(process.execPath, [...node, program, ...args], options, (error, stdout, stderr) => {
      const code = error ? error.code : 0
      if (typeof code === 'number') resolve({ code, stdout, stderr })
      else reject(error)
    })
  })
}

/** What `lull ps` adds for people may be a hint: agents that other tests run are on this machine, too. */
export const atMostHint = /^(hint: .*\n)?$/

const runFolder = os.tmpdir()
let root: string | undefined
const mostTries = 50

/** An empty folder that is gone when the tests of the file are over. */
export function temporaryFolder(): string {
  root ??= newRoot()
  return mkdtempSync(path.join(root, 'f'))
}

/** Programs of the test have it for their temporary folder: one that is killed removes nothing. Some run as another user. */
function newRoot(): string {
  const folder = mkdtempSync(path.join(runFolder, 't'))
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  return folder
}

/** What ends late may remove a file of its own meanwhile: then `rmSync` returns, and has left all the rest (Node 24.21). */
export async function removeTemporaryFolders(): Promise<void> {
  for (let tries = 0; root && existsSync(root) && tries < mostTries; tries++) {
    await sleep(10 * tries)
    rmSync(root, { recursive: true, force: true })
  }
  root = undefined
  process.env.TMPDIR = runFolder
}

/** A file in a folder of its own. */
export function temporaryFile(name: string, content: string | Buffer): string {
  const file = path.join(temporaryFolder(), name)
  writeFileSync(file, content)
  return file
}
