/** The folders that are empty once a file of lull's is gone. */
import { rmdirSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../../os/attempt.ts'
import { homeOf } from '../../os/file/places.ts'
import type { InstallPlace } from './settings-path.ts'

/** Folders of a file that went, below the home or the project. */
export function removeEmptyFolders(file: string, { env, cwd }: InstallPlace): void {
  const isAround = (at: string): boolean => isIn(homeOf(env), at) || isIn(cwd, at)
  // One that is not empty can't be removed.
  for (let at = path.dirname(file); !isAround(at); at = path.dirname(at))
    if (!attempt(() => rmdirSync(at) ?? true)) return
}

/** `at` is the folder, or one above it. */
const isIn = (folder: string, at: string): boolean =>
  folder === at || folder.startsWith(at.endsWith('/') ? at : `${at}/`)
