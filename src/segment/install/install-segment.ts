/** Adds lull's lines to the user's tmux.conf, removes them, or shows what would change. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { oneLine } from '../../core/text/printable.ts'
import { carryOut, type FileChange } from '../../hooks/install/install.ts'
import { leftAsItIs } from '../../hooks/install/install-error.ts'
import type { InstallPlace } from '../../hooks/install/settings-path.ts'
import { attempt } from '../../os/attempt.ts'
import { configFolderOf, homeOf } from '../../os/file/places.ts'
import { readPlainText } from '../../os/file/plain-file.ts'
import { programOnPath } from '../../os/spawn/find-program.ts'
import { ownProgram } from '../../os/spawn/own-program.ts'
import { quoteWord } from '../../os/spawn/shell-words.ts'
import { tmuxLine } from '../../os/tmux/control-words.ts'
import { readKey } from '../../os/tmux/key-names.ts'
import { pushOption } from '../step/push-step.ts'
import { withBlock, withoutBlock } from './conf-block.ts'

export type SegmentRequest = {
  readonly where: InstallPlace
  /** Tell what would change, and change nothing. */
  readonly isDry: boolean
}

/**
 * @param key that is bound to `lull go`
 * @throws {LullError} INSTALL_REFUSED where the file must be left as it is; BAD_KEY
 */
export function installSegment(request: SegmentRequest, key?: string): Promise<FileChange[]> {
  const { where } = request
  const file = confFile(where)
  const binding = key === undefined ? undefined : bindingLine(readKey(key), goWords(where))
  const edit = (text: string | undefined): string => {
    const next = withBlock(text, file, binding)
    prove(next, text, file, where.env)
    return next
  }
  return carryOut([jobOf(file, edit)], request)
}

/** @throws {LullError} INSTALL_REFUSED */
export function uninstallSegment(request: SegmentRequest): Promise<FileChange[]> {
  const file = confFile(request.where)
  return carryOut([jobOf(file, text => (text === undefined ? undefined : withoutBlock(text, file)))], request)
}

/** The one in which lull's lines stand; else the first that is there, of those that tmux reads. */
export function confFile({ env }: Pick<InstallPlace, 'env'>): string {
  const files = filesOf(env)
  return installedIn(env) ?? files.find(existsSync) ?? files[0]
}

/** Undefined where none asks for the segment. */
export const installedIn = (env: InstallPlace['env']): string | undefined =>
  filesOf(env).find(
    file => attempt(() => readPlainText(file, { most: mostBytes }))?.includes(pushOption) === true,
  )

const filesOf = (env: InstallPlace['env']): readonly [string, string] => [
  path.join(homeOf(env), '.tmux.conf'),
  path.join(configFolderOf(env), '../tmux/tmux.conf'),
]

const mostBytes = 1024 * 1024

const jobOf = (file: string, edit: (text: string | undefined) => string | undefined) => ({
  file,
  // Two versions of such a file cannot be merged: the last write wins.
  kind: { edit, mode: 0o600, merge: (_: string, theirs: string) => theirs, isWhole: () => true },
})

/** tmux reads the command as a format, in which `##` is a literal `#`. */
export const bindingLine = (key: string, command: readonly string[]): string =>
  `bind-key ${tmuxLine([key])} run-shell ${tmuxLine([command.map(quoteWord).join(' ').replaceAll('#', '##')])}`

const goWords = ({ env }: InstallPlace): readonly string[] =>
  programOnPath(['lull'], env.PATH) === undefined ? [process.execPath, ownProgram, 'go'] : ['lull', 'go']

/** tmux itself reads it, and runs none of it: an open quote or brace would swallow what comes behind. */
function prove(next: string, before: string | undefined, file: string, env: InstallPlace['env']): void {
  if (programOnPath(['tmux'], env.PATH) === undefined) return
  const old = before === undefined ? undefined : parsed(before, file, env)
  if (old?.complaint !== undefined) throw leftAsItIs(`${old.complaint}; mend it first`)
  const { complaint, commands } = parsed(next, file, env)
  if (complaint === undefined && commands.includes(`set-option -g ${pushOption} on`)) return
  throw leftAsItIs(
    complaint ??
      `${file} ends in the middle of a command, so that nothing can be added; close its quotes first`,
  )
}

const longestMs = 5000

function parsed(text: string, file: string, env: InstallPlace['env']) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-tmux-'))
  try {
    const copy = path.join(folder, 'tmux.conf')
    writeFileSync(copy, text, { mode: 0o600 })
    // A server of its own, which ends at once, as there is no session in it.
    const words = [
      '-S',
      path.join(folder, 's'),
      '-f',
      '/dev/null',
      'start-server',
      ';',
      'source-file',
      '-nv',
      copy,
    ]
    const { stdout, stderr, status } = spawnSync('tmux', words, {
      env: { ...env, TMUX: '' },
      encoding: 'utf8',
      timeout: longestMs,
      maxBuffer: 64 * mostBytes,
    })
    const output = `${stdout ?? ''}\n${stderr ?? ''}`.trim().split('\n')
    const commands = output.map(line => line.replace(/^.*?:\d+: /, ''))
    // It lists what it reads, and then what it does not.
    const complaint = oneLine((output.at(-1) || 'tmux does not read it').replaceAll(copy, file), 300)
    return { commands, ...(status === 0 ? {} : { complaint }) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
