/** The REPLs that a person has described in `repls.yaml`, as the file stands now. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../os/attempt.ts'
import { configFolderOf, type Env } from '../os/file/places.ts'
import type { OwnRepls, Repl } from './classify/repl/repl-rows.ts'

export const replsFileOf = (env: Env): string => path.join(configFolderOf(env), 'repls.yaml')

let kept: { readonly stamp: string; readonly now: OwnRepls | undefined } | undefined

/** Undefined where there is no such file. It is read again where it has changed; what reads it is loaded only where there is one. */
export async function ownRepls(env: Env = process.env): Promise<OwnRepls | undefined> {
  const file = replsFileOf(env)
  const stat = attempt(() => statSync(file, { throwIfNoEntry: false, bigint: true }))
  if (!stat) return undefined
  const stamp = `${file} ${stat.ino},${stat.size},${stat.mtimeNs},${stat.ctimeNs}`
  if (kept?.stamp === stamp) return kept.now
  const { readReplsFile } = await import('./repls-file.ts')
  const read = readReplsFile(file)
  const now = read && 'mistakes' in read ? { rows: [], mistake: sentenceOf(read.mistakes) } : read
  kept = { stamp, now }
  return now
}

/** As they were read last. */
export const knownRepls = (): readonly Repl[] => kept?.now?.rows ?? []

const sentenceOf = ([first, ...more]: readonly string[]): string =>
  `${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}; none of its REPLs counts`
