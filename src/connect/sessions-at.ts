/** The sessions that addresses mean; what is no session of lull's but a pane of tmux is observed once. */
import { findPane } from '../drive/find-pane.ts'
import { readStat } from '../os/proc/stat.ts'
import { socketOf } from '../os/tmux/socket-path.ts'
import { listPanes } from '../os/tmux/tmux-server.ts'
import { findSession, matchSessions } from '../sessions/address.ts'
import { callerContext } from '../sessions/caller-context.ts'
import { sessionIndex } from '../sessions/session-index.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { withSettled } from '../sessions/settled.ts'
import { followTerminal } from '../sessions/terminals/followed-terminal.ts'
import { realClock } from '../track/clock.ts'
import { createTrack } from '../track/track.ts'

/** A pane that does not come to rest is shown as it is then. */
const patienceMs = 1200

/** @throws {LullError} NO_SERVER where no tmux server answers there */
export const checkServer = (socket: string): Promise<unknown> => listPanes(socketOf(socket, process.env))

/** @param socket the tmux server that `tmux:` means, as `-L` or `-S` */
export async function sessionsAt(
  addresses: readonly string[],
  sessions: readonly LiveSession[],
  socket: string | undefined,
): Promise<readonly LiveSession[]> {
  const found: LiveSession[] = []
  for (const address of addresses) {
    const isPane = address.startsWith('tmux:') || address.startsWith('%')
    // tmux names panes in more ways than lull: it decides which one is meant.
    if (isPane) found.push(await inPane(address, sessions, socket))
    else found.push(...several(address, sessions))
  }
  return found.filter(({ id }, at) => found.findIndex(other => other.id === id) === at)
}

/** A name or a folder may mean several, which are all shown. @throws {LullError} NO_SESSION where it means none */
function several(address: string, sessions: readonly LiveSession[]): readonly LiveSession[] {
  const found = matchSessions(address, sessions, callerContext())
  return found.length > 0 ? found : [findSession(address, sessions, callerContext())]
}

async function inPane(
  address: string,
  sessions: readonly LiveSession[],
  socket: string | undefined,
): Promise<LiveSession> {
  const where = { env: process.env, caller: callerContext(), sessions: async () => sessions }
  const target = await findPane(address, socket === undefined ? where : { ...where, socket })
  const { id, pid, tty } = target.facts
  const known = sessions.find(({ pane, tmux }) => pane === id && tmux === target.socket)
  if (known) return known
  const clock = realClock(true)
  const track = createTrack(clock)
  const start = readStat(pid)?.startTicks ?? ''
  const terminal = followTerminal({ socket: target.socket, pane: id, tty, pid, start }, track, clock)
  await terminal.observe(patienceMs)
  const view = terminal.view() as LiveSession
  track.close()
  return withSettled(view, sessionIndex(sessions))
}
