/** Why a command could not be run, with the code that a shell would exit with. */

import { existsSync, statSync } from 'node:fs'
import { LullError } from '../../core/lull-error.ts'
import { whyNot } from '../../core/system-refusal.ts'
import { attempt } from '../attempt.ts'
import { filesOfProgram, isProgram } from './find-program.ts'

/** @throws {LullError} NO_FOLDER where there is no such folder, or none that may be entered */
export function checkFolder(cwd: string): void {
  const stat = attempt(() => statSync(cwd))
  if (!stat) throw new LullError('NO_FOLDER', `${cwd}: no such folder to run it in: name one that exists`)
  if (!stat.isDirectory()) throw new LullError('NO_FOLDER', `${cwd} is a file: name a folder to run it in`)
}

/** The error of a spawn that failed. */
export function spawnError(word: string, error: NodeJS.ErrnoException): LullError {
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new LullError(
        'NOT_FOUND',
        word.includes('/')
          ? `${word}: no such program, or what its first line names is not there: check the path`
          : `${word}: no such command: check its spelling, or PATH`,
      )
    case 'EACCES':
      return new LullError(
        'NOT_EXECUTABLE',
        attempt(() => statSync(word).isDirectory())
          ? `${word} is a folder: name a program`
          : `${word} may not be executed by this user: chmod +x, or run it with its interpreter`,
      )
    case 'ERR_INVALID_ARG_VALUE':
      return new LullError('NO_COMMAND', 'the command holds a NUL byte: no program can be started with it')
    default:
      return new LullError('NOT_EXECUTABLE', `${word} can't be started: ${whyNot(error)}`)
  }
}

/**
 * For a child in a terminal only an exit code shows that it could not be started.
 * @throws {LullError} NOT_FOUND, NOT_EXECUTABLE where there is no such program, or it may not be executed
 */
export function checkCommand(word: string, cwd: string, searched: string | undefined): void {
  const there = filesOfProgram(word, cwd, searched).filter(file => existsSync(file))
  if (there.some(isProgram)) return
  const code = there.length > 0 && word.includes('/') ? 'EACCES' : 'ENOENT'
  throw spawnError(word, Object.assign(new Error(code), { code }))
}
