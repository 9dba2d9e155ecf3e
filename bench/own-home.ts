/** A home of a bench's own for lull, removed at the end: nothing of who runs the bench is read or written. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { atExit } from './lab/leftovers.ts'

export function ownHome(name: string): { readonly home: string; readonly env: NodeJS.ProcessEnv } {
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), `lull-${name}-`)))
  atExit(() => rmSync(home, { recursive: true, force: true }))
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    LULL_RUNTIME_DIR: path.join(home, 'run'),
    XDG_STATE_HOME: path.join(home, 'state'),
  }
  return { home, env }
}
