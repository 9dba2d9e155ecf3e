/** The panes of a tmux server. */

import { execFile } from 'node:child_process'
import { LullError } from '../../core/lull-error.ts'
import { type PaneFacts, paneFormat, readPaneFacts } from './pane-facts.ts'

/** `attach-session -f ignore-size` came with it. */
const wanted = [3, 2] as const
const wantedVersion = wanted.join('.')

/**
 * All panes of a server; one that is shown in several sessions comes several times.
 * @throws {LullError} NO_TMUX, OLD_TMUX, NO_SERVER
 */
export async function listPanes(socket: string): Promise<readonly PaneFacts[]> {
  const printed = await tmux(socket, 'list-panes', '-a', '-F', paneFormat)
  const panes = printed.split('\n').flatMap(line => readPaneFacts(line) ?? [])
  const [first] = panes
  if (first && !isRecent(first.version)) throw tooOld(first.version)
  return panes
}

function tmux(socket: string, ...args: readonly string[]): Promise<string> {
  const options = { timeout: 5000, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 } as const
  return new Promise((resolve, reject) => {
    execFile('tmux', ['-u', '-S', socket, ...args], options, (error, stdout, stderr) => {
      if (!error) resolve(stdout)
      else if (error.code === 'ENOENT')
        reject(new LullError('NO_TMUX', `tmux is not installed: ${wantedVersion} or newer is wanted`))
      else reject(new LullError('NO_SERVER', whyUnanswered(socket, stderr)))
    })
  })
}

function whyUnanswered(socket: string, stderr: string): string {
  const said = stderr.trim().split('\n')[0] ?? ''
  if (/no server running|error connecting/.test(said))
    return `no tmux server runs at ${socket}: start one, or name its socket with --socket`
  return `the tmux server at ${socket} does not answer${said === '' ? '' : ` (${said})`}`
}

const tooOld = (version: string): LullError<'OLD_TMUX'> =>
  new LullError(
    'OLD_TMUX',
    `tmux ${version || 'of an unknown version'} is too old: ${wantedVersion} or newer is wanted`,
  )

/** `3.3a`, `next-3.6`, `openbsd-7.4`: one without a number of its own is believed to be recent. */
export function isRecent(version: string): boolean {
  if (version.startsWith('openbsd-')) return true
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined || minor === undefined) return version === 'master'
  return Number(major) > wanted[0] || (Number(major) === wanted[0] && Number(minor) >= wanted[1])
}
