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
  const file = path.resolve(cwd, target)
  const inFolder = path.join(file, fileName)
  const others = named(target, cwd, home)
  const found = [file, inFolder, ...others].find(isFile)
  if (found !== undefined) return found
  if (existsSync(file))
    throw new LullError('BAD_RALPH', `${target}: there is no RALPH.md at ${[inFolder, ...others].join(', ')}`)
  const nor = others.length > 0 ? `; nor is there one at ${others.join(', ')}` : ''
  throw new LullError('BAD_RALPH', `${target}: there is no RALPH.md at ${file}: no such file or folder${nor}`)
}

const named = (name: string, cwd: string, home: string): string[] =>
  name.includes('/') || name.startsWith('.')
    ? []
    : [...new Set([cwd, home].map(folder => path.join(folder, '.agents/ralphs', name, fileName)))]

const isFile = (file: string): boolean => attempt(() => statSync(file).isFile()) ?? false
