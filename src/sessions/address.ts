/**
 * SESSION on a command line: an id or the beginning of one, a name (given, the agent's, the folder's, the window's), `tmux:%3`,
 * `pid:123`, or a folder. What could mean two sessions means none: the wrong one would be typed into.
 */
import path from 'node:path'
import { LullError } from '../core/lull-error.ts'
import { oneLine } from '../core/text/printable.ts'
import { howElseMeant } from '../owned/terminal-name.ts'
import { entryOf, namesOf } from './session-names.ts'
import type { LiveSession } from './session-source.ts'

/** The context of the command that was given the address. */
export type CallerContext = {
  readonly cwd: string
  readonly home: string
  /** The socket of the tmux server around the person: `tmux:%3` means its pane. */
  readonly tmux?: string
  /** The terminal that the person gave this name and that has ended a while ago. @throws {LullError} where that can't be read */
  readonly ended?: (name: string) => EndedTerminal | undefined
  /** A path without symbolic links: processes tell their folders so. */
  readonly real?: (path: string) => string
}

/** A pane, or one of lull's own, which is in none. */
export type EndedTerminal = { readonly socket?: string; readonly pane?: string; readonly endedAt: number }

const grammar =
  'a session is an id or its beginning, a name (one that you gave, claude, its folder’s or its window’s), tmux:%3, pid:123 or a folder (./api)'

/**
 * The one session that is meant.
 * @throws {LullError} NO_SESSION, AMBIGUOUS_SESSION where none or several are
 */
export function findSession(
  address: string,
  sessions: readonly LiveSession[],
  here: CallerContext,
): LiveSession {
  const found = matchSessions(address, sessions, here)
  const [first] = found
  if (!first) throw noSession(address, sessions, here)
  if (found.length === 1) return first
  const shown = oneLine(address, 100)
  const which = listed(found, here)
  throw new LullError(
    'AMBIGUOUS_SESSION',
    `"${shown}" means ${found.length} sessions: ${which}; give an id`,
    {
      address,
      candidates: found.map(({ id }) => id),
    },
  )
}

export function noSession(address: string, sessions: readonly LiveSession[], here: CallerContext): LullError {
  const ended = here.ended?.(address)
  if (ended) return endedSession(address, ended)
  const shown = oneLine(address, 100)
  return new LullError('NO_SESSION', `no session "${shown}": ${present(sessions, here)}${hintFor(shown)}`, {
    address,
  })
}

function endedSession(address: string, { pane, endedAt }: EndedTerminal): LullError {
  const end = pane === undefined ? 'was closed' : `(${oneLine(pane, 20)}) has ended`
  return new LullError('NO_SESSION', `the terminal ${address} ${end}: ${howElseMeant(address)}`, {
    address,
    closedAt: endedAt,
  })
}

/**
 * All sessions that an address may mean. Those that have exited count only where no living one is meant.
 * @throws {LullError} BAD_ADDRESS where it is not an address
 */
export function matchSessions(
  address: string,
  sessions: readonly LiveSession[],
  here: CallerContext,
): readonly LiveSession[] {
  const living = sessions.filter(({ session }) => session.verdict.state.kind !== 'exited')
  const found = candidates(address, living, here)
  return found.length > 0 ? found : candidates(address, sessions, here)
}

function candidates(
  address: string,
  sessions: readonly LiveSession[],
  here: CallerContext,
): readonly LiveSession[] {
  if (address.trim() === '')
    throw new LullError('BAD_ADDRESS', `no session was given: ${grammar}`, { address })
  const [, there, host] = /^(.+)@([^@]+)$/s.exec(address) ?? []
  const onHost = host === undefined ? [] : sessions.filter(one => one.host === host)
  if (there !== undefined && onHost.length > 0) {
    const whole = onHost.filter(({ id }) => id === address)
    // What has ended here has nothing to do with that box.
    return whole.length > 0 ? whole : candidates(there, onHost, { cwd: here.cwd, home: here.home })
  }
  const [, kind, rest = ''] = /^(pid|tmux):(.*)$/s.exec(address) ?? []
  switch (kind) {
    case 'pid':
      return ofProcess(whole(rest, address), sessions)
    case 'tmux':
      return inPane(rest, address, sessions, here)
    default:
      return isFolder(address) ? inFolder(address, sessions, here) : named(address, sessions, here)
  }
}

const ofProcess = (pid: number, sessions: readonly LiveSession[]): readonly LiveSession[] =>
  sessions.filter(session => session.pid === pid)

function whole(text: string, address: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  const shown = oneLine(address, 60)
  throw new LullError('BAD_ADDRESS', `"${shown}": after pid: comes a process number, like pid:123`, {
    address,
  })
}

function pane(text: string, address: string): string {
  if (/^%\d+$/.test(text)) return text
  const shown = oneLine(address, 60)
  throw new LullError('BAD_ADDRESS', `"${shown}": after tmux: comes a pane, like tmux:%3`, { address })
}

/** By pane id or by place (`main:2.1`). Both are unique within one tmux server only. */
function inPane(
  written: string,
  address: string,
  sessions: readonly LiveSession[],
  { tmux }: CallerContext,
): readonly LiveSession[] {
  const standing = sessions.filter(({ place }) => place === written)
  const found = standing.length > 0 ? standing : ofPane(pane(written, address), sessions)
  const near = found.filter(session => tmux !== undefined && session.tmux === tmux)
  return near.length > 0 ? near : found
}

const ofPane = (id: string, sessions: readonly LiveSession[]): readonly LiveSession[] =>
  sessions.filter(session => session.pane === id)

const isFolder = (address: string): boolean =>
  address.includes('/') || address === '.' || address === '..' || address === '~'

/** Sessions of that very folder, else those below it. */
function inFolder(
  address: string,
  sessions: readonly LiveSession[],
  here: CallerContext,
): readonly LiveSession[] {
  const expanded = address.replace(/^~(?=\/|$)/, () => here.home)
  const written = path.resolve(here.cwd, expanded)
  const folders = [written, here.real?.(written) ?? written]
  // A folder means the agent that works in it, before a shell.
  const agents = sessions.filter(({ agent }) => agent !== 'terminal')
  const at = agents.filter(({ cwd }) => cwd !== undefined && folders.includes(cwd))
  if (at.length > 0) return at
  return agents.filter(({ cwd }) => folders.some(folder => cwd?.startsWith(below(folder))))
}

const below = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`)

/**
 * A whole id is one session. Else it is the name that somebody gave a session; what else a session is called by (the beginning of its id, its
 * agent, its folder) before its window's name. Any user can call a program `claude`: a name means one's own, and
 * the beginning of an id another user's only where it means none of one's own. Who sends to a terminal that has just ended does
 * not mean the agent in the folder of that name.
 */
function named(
  address: string,
  sessions: readonly LiveSession[],
  here: CallerContext,
): readonly LiveSession[] {
  const own = sessions.filter(({ owner }) => owner === undefined)
  const begins = ({ id }: LiveSession): boolean => !isTooShort(address) && id.startsWith(address)
  const ofId = sessions.filter(({ id }) => id === address)
  if (ofId.length > 0) return ofId
  // Where it can't be read who has the name, what else is called so is not meant.
  const ended = here.ended?.(address)
  // It may be listed under the name for a moment longer.
  const isOver = ({ pane, tmux, terminal }: LiveSession): boolean => {
    if (!ended) return false
    return ended.pane === undefined ? terminal === address : pane === ended.pane && tmux === ended.socket
  }
  const given = own.filter(session => session.name === address && !isOver(session))
  const called = [
    own.filter(session => begins(session) || namesOf(session).includes(address)),
    own.filter(({ window }) => window === address),
    sessions.filter(begins),
  ]
  return [given, ...(ended ? [] : called)].find(found => found.length > 0) ?? []
}

/**
 * With one session about, any letter that its id happens to begin with would mean it: `lull seen x` hid a session that nobody
 * had looked at, and `lull send x` typed into it. Eight letters of an id are shown; three of them are nobody's slip.
 */
const fewestLetters = 3
const isTooShort = (address: string): boolean => address.length < fewestLetters

/** What whoever wrote that may have meant. */
function hintFor(shown: string): string {
  if (/^pid:\d+$/.test(shown)) return `; lull explain ${shown} and lull watch ${shown} work with any process`
  if (/^[^/:]+:[^/]*$/.test(shown)) return `; a tmux pane is written tmux:${shown}`
  return isTooShort(shown) ? `; the beginning of an id has at least ${fewestLetters} letters` : ''
}

/** More would be a page, not a sentence. */
const mostListed = 8
/** Of those that were not meant a few say what one looks like. */
const mostOthers = 3

function listed(sessions: readonly LiveSession[], { home }: CallerContext, most = mostListed): string {
  const entries = sessions.slice(0, most).map(session => entryOf(session, home))
  const more = sessions.length - entries.length
  return more > 0 ? `${entries.join(', ')} and ${more} more` : entries.join(', ')
}

/** Those that live first: one that has exited is seldom meant. */
function present(sessions: readonly LiveSession[], here: CallerContext): string {
  if (sessions.length === 0) return 'no agent runs on this machine'
  const [over, living] = [true, false].map(isOver =>
    sessions.filter(({ session }) => (session.verdict.state.kind === 'exited') === isOver),
  ) as [LiveSession[], LiveSession[]]
  const more = sessions.length > mostOthers ? ' (lull ps)' : ''
  return `there is ${listed([...living, ...over], here, mostOthers)}${more}`
}
