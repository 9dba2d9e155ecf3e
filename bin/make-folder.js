import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes a folder and those above it, where they are not there yet. Node's own recursive `mkdir` asks again for ever where
 * a folder can't be made in one that is there (/proc).
 * @param {string} folder
 * @param {number} [mode]
 * @throws where it can't be made, as `mkdir` does
 */
export function makeFolder(folder, mode = 0o777) {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const above = path.dirname(folder)
  if (above !== folder) makeFolder(above, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another was quicker.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
