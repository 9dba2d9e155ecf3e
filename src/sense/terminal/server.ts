/** A tmux server: where its socket is, and which panes it has. */
import path from 'node:path'
import { type PaneFacts, paneFormat, readPaneFacts } from './pane-facts.ts'
import { isUnreachable } from './tmux.ts'
import { type TmuxAnswer, tmuxCommand } from './tmux-command.ts'

/** There is no tmux that could be asked, or it has not what was asked for. The sentence says what there is. */
export class TmuxError extends Error {
  readonly code:
    | 'NO_TMUX'
    | 'OLD_TMUX'
    | 'NO_SERVER'
    | 'FOREIGN_SERVER'
    | 'NO_PANE'
    | 'BAD_PANE'
    | 'AMBIGUOUS_PANE'
  constructor(code: TmuxError['code'], sentence: string) {
    super(sentence)
    this.name = 'TmuxError'
    this.code = code
  }
}

/** The oldest whose formats and flags are known to be what is read here. */
const wanted = [3, 2] as const
const wantedVersion = wanted.join('.')

type Env = Readonly<Record<string, string | undefined>>

/**
 * The socket that is meant: as tmux finds it itself.
 * @param given the path of one (`-S`), or the name of one (`-L`); the server around this program where not given
 */
export function socketOf(given: string | undefined, env: Env): string {
  if (given?.includes('/')) return path.resolve(given)
  const [around] = env.TMUX?.split(',') ?? []
  if (given === undefined && around) return around
  return path.join(env.TMUX_TMPDIR || '/tmp', `tmux-${process.getuid?.() ?? 0}`, given ?? 'default')
}

/**
 * All panes of a server; one that is shown in several sessions comes several times.
 * @throws {TmuxError}
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
  { because, said }: Extract<TmuxAnswer, { readonly isAnswered: false }>,
): TmuxError {
  switch (because) {
    case 'missing':
      return new TmuxError('NO_TMUX', `tmux is not installed: ${wantedVersion} or newer is wanted`)
    case 'foreign':
      return new TmuxError('FOREIGN_SERVER', said)
    case 'failed':
      return new TmuxError('NO_SERVER', whyUnlisted(socket, said))
  }
}

function whyUnlisted(socket: string, said: string): string {
  if (isUnreachable(said))
    return `no tmux server runs at ${socket}: start one, or name its socket with --socket`
  return `the tmux server at ${socket} does not answer${said === '' ? '' : ` (${said})`}`
}

const tooOld = (version: string): TmuxError =>
  new TmuxError(
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
