/** Whether a command line can be run: before the loop begins, not at its first iteration. */

import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { LullError } from '../core/lull-error.ts'
import { attempt } from '../os/attempt.ts'

/**
 * @param name the first word of a command line
 * @throws {LullError} BAD_RALPH where there is no such program
 */
export function checkProgram(name: string, cwd: string, searched: string | undefined): void {
  if (name.includes('/')) {
    if (isProgram(path.resolve(cwd, name))) return
    throw new LullError(
      'BAD_RALPH',
      `the agent ${name} is not a program that can be run: check its path and its rights`,
    )
  }
  const folders = (searched ?? '').split(path.delimiter)
  if (folders.some(folder => isProgram(path.resolve(cwd, folder, name)))) return
  throw new LullError(
    'BAD_RALPH',
    `the agent ${name} is not on PATH: install it, or name another one in RALPH.md`,
  )
}

function isProgram(file: string): boolean {
  const isRunnable = attempt(() => {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  })
  return isRunnable ?? false
}
