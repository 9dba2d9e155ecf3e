/** The panes of a tmux server. */
import { LullError } from '../../core/lull-error.ts'
import { type PaneFacts, paneFormat, readPaneFacts } from './pane-facts.ts'
import { type TmuxAnswer, tmuxCommand } from './tmux-command.ts'

/** The oldest version with the formats and flags that lull reads. */
const wanted = [3, 2] as const
const wantedVersion = wanted.join('.')

/**
 * All panes of a server; one that is shown in several sessions comes several times.
 * @throws {LullError} NO_TMUX, OLD_TMUX, NO_SERVER, FOREIGN_SERVER
 */
export async function listPanes(socket: string): Promise<readonly PaneFacts[]> {
  const answer = await tmuxCommand(socket, ['list-panes', '-a', '-F', paneFormat], { timeout: listMs })
  if (!answer.isAnswered) throw unanswered(socket, answer)
  const panes = answer.printed.split('\n').flatMap(line => readPaneFacts(line) ?? [])
  const [first] = panes
  if (first && !isRecent(first.version)) throw tooOld(first.version)
  return panes
}

/** A server with thousands of panes takes its time: ms. */
const listMs = 5000

function unanswered(
  socket: string,
  { because, complaint }: Extract<TmuxAnswer, { readonly isAnswered: false }>,
): LullError {
  switch (because) {
    case 'missing':
      return new LullError('NO_TMUX', `tmux is not installed: ${wantedVersion} or newer is wanted`)
    case 'foreign':
      return new LullError('FOREIGN_SERVER', complaint)
    case 'unreachable':
      return new LullError(
        'NO_SERVER',
        `no tmux server runs at ${socket}: start one, or name its socket with --socket`,
      )
    case 'silent':
      return new LullError('NO_SERVER', `the tmux server at ${socket} does not answer`)
    case 'exhausted':
      return new LullError('REFUSED_FILE', complaint)
    case 'lost':
    case 'refused':
      return new LullError('NO_SERVER', `the tmux server at ${socket} does not answer (${complaint})`)
  }
}

const tooOld = (version: string): LullError<'OLD_TMUX'> =>
  new LullError(
    'OLD_TMUX',
    `tmux ${version || 'of an unknown version'} is too old: ${wantedVersion} or newer is wanted`,
  )

/** `3.3a`, `next-3.6`, `openbsd-7.4`: one without a number counts as recent. */
export function isRecent(version: string): boolean {
  if (version.startsWith('openbsd-')) return true
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined || minor === undefined) return version === 'master'
  return Number(major) > wanted[0] || (Number(major) === wanted[0] && Number(minor) >= wanted[1])
}
