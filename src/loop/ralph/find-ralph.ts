/** Which RALPH.md is meant: a file, a folder that has one, or the name of one in `.agents/ralphs`. */

import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { LullError } from '../../core/lull-error.ts'
import { attempt } from '../../os/attempt.ts'

const fileName = 'RALPH.md'

/**
 * @param target as given; the working folder where it is not
 * @throws {LullError} BAD_RALPH that names the places looked at
 */
export function findRalph(target: string | undefined, cwd: string, home: string): string {
  if (target === undefined) {
    const here = path.join(cwd, fileName)
    if (isFile(here)) return here
    throw new LullError(
      'BAD_RALPH',
      `there is no RALPH.md in ${cwd}: lull loop init writes one, or name another one`,
    )
  }
  const places = [path.resolve(cwd, target), path.resolve(cwd, target, fileName), ...named(target, cwd, home)]
  const found = places.find(isFile)
  if (found !== undefined) return found
  if (target.includes('/') && !existsSync(path.resolve(cwd, target)))
    throw new LullError(
      'BAD_RALPH',
      `${target}: there is no RALPH.md at ${places[0]}: no such file or folder`,
    )
  throw new LullError('BAD_RALPH', `${target}: there is no RALPH.md at ${places.slice(1).join(', ')}`)
}

const named = (name: string, cwd: string, home: string): string[] =>
  name.includes('/') || name.startsWith('.')
    ? []
    : [cwd, home].map(folder => path.join(folder, '.agents/ralphs', name, fileName))

const isFile = (file: string): boolean => attempt(() => statSync(file).isFile()) ?? false
