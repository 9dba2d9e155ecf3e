/** Whether there is such a program: a terminal's child tells only by an exit code that it could not be started. */
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../../os/attempt.ts'
import { spawnError } from '../run-error.ts'

/** @throws {LullError} NOT_FOUND, NOT_EXECUTABLE where it is not there, or may not be executed */
export function checkCommand(word: string, cwd: string, searched: string | undefined): void {
  const files = word.includes('/')
    ? [path.resolve(cwd, word)]
    : (searched ?? '').split(path.delimiter).map(folder => path.resolve(cwd, folder, word))
  const there = files.filter(file => attempt(() => statSync(file)) !== undefined)
  if (there.some(isProgram)) return
  const code = there.length > 0 && word.includes('/') ? 'EACCES' : 'ENOENT'
  throw spawnError(word, Object.assign(new Error(code), { code }))
}

const isProgram = (file: string): boolean =>
  attempt(() => {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  }) ?? false
