/**
 * Where Node may keep lull's compiled code. Whoever writes there runs code in every later lull, so it is a folder of
 * lull's own, not Node's usual one in /tmp, which belongs to whoever comes first. Without one lull starts more slowly.
 */
import { lstatSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { makeFolder } from './make-folder.js'
import { standingOf } from './own-folder.js'

/** @returns {string | undefined} nowhere, where no place is safe */
export function compileCacheFolder() {
  try {
    const { XDG_CACHE_HOME, HOME } = process.env
    const home = HOME || os.homedir() || os.userInfo().homedir
    const folder = path.join(XDG_CACHE_HOME || path.join(home, '.cache'), 'lull/compile')
    if (standingOf(folder) === 'missing') makeFolder(folder, 0o700)
    if (standingOf(folder) !== 'own') return undefined
    return readdirSync(folder).every(name => isOurs(path.join(folder, name))) ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * Node makes a folder for each of its versions: others may have put one there while the folder was open to them.
 * @param {string} entry
 */
function isOurs(entry) {
  const stat = lstatSync(entry)
  return stat.isDirectory() && stat.uid === process.geteuid?.()
}
