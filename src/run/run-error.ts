/** Why a command could not be run, with the code that a shell would exit with. */
import { statSync } from 'node:fs'
import { attempt } from '../os/attempt.ts'

export type RunErrorCode = 'NO_COMMAND' | 'NO_FOLDER' | 'BAD_STDIN' | 'NOT_FOUND' | 'NOT_EXECUTABLE'

/** A command that can't be run: one sentence that says what is wrong and what would be right. */
export class RunError extends Error {
  readonly code: RunErrorCode
  /** 127 and 126 as a shell, 2 where other words on the command line are needed. */
  readonly exitCode: number
  constructor(code: RunErrorCode, message: string) {
    super(message)
    this.name = 'RunError'
    this.code = code
    this.exitCode = code === 'NOT_FOUND' ? 127 : code === 'NOT_EXECUTABLE' ? 126 : 2
  }
}

/** @throws {RunError} where there is no such folder, or none that may be entered */
export function checkFolder(cwd: string): void {
  const stat = attempt(() => statSync(cwd))
  if (!stat) throw new RunError('NO_FOLDER', `${cwd}: no such folder to run it in: name one that exists`)
  if (!stat.isDirectory()) throw new RunError('NO_FOLDER', `${cwd} is a file: name a folder to run it in`)
}

/** The error of a spawn that failed. */
export function spawnError(word: string, { code, message }: NodeJS.ErrnoException): RunError {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new RunError(
        'NOT_FOUND',
        word.includes('/')
          ? `${word}: no such program, or what its first line names is not there: check the path`
          : `${word}: no such command: check its spelling, or PATH`,
      )
    case 'EACCES':
      return new RunError(
        'NOT_EXECUTABLE',
        attempt(() => statSync(word).isDirectory())
          ? `${word} is a folder: name a program`
          : `${word} may not be executed by this user: chmod +x, or run it with its interpreter`,
      )
    case 'ERR_INVALID_ARG_VALUE':
      return new RunError('NO_COMMAND', 'the command holds a NUL byte: no program can be started with it')
    default:
      return new RunError('NOT_EXECUTABLE', `${word} can't be started: ${message}`)
  }
}
