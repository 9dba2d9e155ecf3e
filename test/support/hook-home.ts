/** A home folder of its own, and a command line that knows no other. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { InstallPlace } from '../../src/hooks/install/settings-path.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { type Run, temporaryFolder } from './lull.ts'
import { lullHere } from './lull-here.ts'

export type HookHome = {
  readonly folder: string
  readonly where: InstallPlace
  file(name: string): string
  write(name: string, content: string | Buffer): string
  read(name: string): string
  /** `lull hooks …`, in the folder `work` of the home. */
  hooks(...args: string[]): Promise<Run>
}

export function hookHome(): HookHome {
  const folder = temporaryFolder()
  const programs = path.join(folder, 'bin')
  const work = path.join(folder, 'work')
  mkdirSync(programs)
  mkdirSync(work)
  const env = {
    HOME: folder,
    LULL_RUNTIME_DIR: path.join(folder, 'run'),
    PATH: `${programs}:/usr/bin:/bin`,
    XDG_DATA_HOME: '',
    XDG_STATE_HOME: '',
    XDG_CONFIG_HOME: '',
    CLAUDE_CONFIG_DIR: '',
    CODEX_HOME: '',
  }
  const where = { places: placesOf(env), env, cwd: work }
  const file = (name: string) => path.join(folder, name)
  return {
    folder,
    where,
    file,
    write(name, content) {
      mkdirSync(path.dirname(file(name)), { recursive: true })
      writeFileSync(file(name), content)
      return file(name)
    },
    read: name => readFileSync(file(name), 'utf8'),
    hooks: (...args) => lullHere(['hooks', ...args], env, work),
  }
}

/** A CLI that lists these events in its own text, as Claude Code does. */
export function fakeClaude(home: HookHome, version: string, events: readonly string[]): void {
  const text = `#!/bin/sh\necho "${version} (Claude Code)"\nexit\nvar a=1,E=${JSON.stringify(events)};\n`
  home.write('bin/claude', text)
}
