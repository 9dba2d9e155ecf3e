/** A temporary folder for the whole run: what a test leaves in it fails the run. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export default function (): (() => void) | undefined {
  // Listing tests runs none; the folder of the test that lists them holds what the files make while they load.
  if (process.env.LULL_LISTS_TESTS) return undefined
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-run-'))
  // Some programs run as another user.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  return () => {
    const left = readdirSync(folder, { recursive: true })
    rmSync(folder, { recursive: true, force: true })
    if (left.length > 0)
      throw new Error(`Tests left in the temporary folder:\n${left.slice(0, 100).join('\n')}`)
  }
}
