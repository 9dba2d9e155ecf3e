/** Where programs are found: files that this user may execute. */
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../attempt.ts'

export const isProgram = (file: string): boolean =>
  attempt(() => {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  }) === true

/**
 * The files that the first word of a command line may mean, as the system tries them.
 * @param searched the `PATH` of the command
 */
export function filesOfProgram(word: string, cwd: string, searched = ''): readonly string[] {
  if (word.includes('/')) return [path.resolve(cwd, word)]
  return searched.split(path.delimiter).map(folder => path.resolve(cwd, folder, word))
}

/** The first program of these names on a `PATH`. A relative folder there would mean another one in each folder. */
export function programOnPath(names: readonly string[], searched = ''): string | undefined {
  const folders = searched.split(path.delimiter).filter(folder => path.isAbsolute(folder))
  return folders.flatMap(folder => names.map(name => path.join(folder, name))).find(isProgram)
}
