/** What a server may touch: never the terminal or the session around it, and with `--only` nothing but what was named. */
import type { Lull } from '../connect/connect.ts'
import { LullError } from '../core/lull-error.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import { placesOf } from '../os/file/places.ts'
import { ancestors, readStat } from '../os/proc/stat.ts'
import { isSameSocket, socketAround } from '../os/tmux/socket-path.ts'
import { terminalPath } from '../os/tty/tty.ts'
import { terminalVariable } from '../owned/terminal-name.ts'
import { matchSessions } from '../sessions/address.ts'
import { callerContext } from '../sessions/caller-context.ts'
import type { LiveSession } from '../sessions/session-source.ts'

export type Confinement = {
  /** Opens a terminal that may be acted on. @throws {LullError} REFUSED_TO_TYPE where it may not */
  terminal(address: string | undefined, readOnly?: boolean): Promise<Terminal>
  /** The sessions that may be looked at. */
  visible(sessions: readonly LiveSession[]): readonly LiveSession[]
  /** Those that an address means and that may be waited for. @throws {LullError} NO_SESSION, REFUSED_TO_TYPE */
  session(address: string): Promise<LiveSession>
  /** @throws {LullError} REFUSED_TO_TYPE where new terminals may not be opened, or not of this name */
  checkOpen(name: string | undefined): void
}

/** Programs between a client and its server. */
const mostAncestors = 20

const refused = (sentence: string): LullError<'REFUSED_TO_TYPE'> =>
  new LullError('REFUSED_TO_TYPE', sentence, { outcome: 'failed', typed: 0 })

/** @param only addresses; all sessions and terminals where there are none */
export function confinement(lull: Lull, only: readonly string[]): Confinement {
  const around = () => new Set(ancestors(process.pid, mostAncestors))
  const isOwnSession = ({ pid }: LiveSession): boolean => around().has(pid)
  const isNamed = (session: LiveSession, all: readonly LiveSession[]): boolean =>
    only.length === 0 ||
    only.some(address => matchSessions(address, all, callerContext()).some(({ id }) => id === session.id))
  const outside = (what: string) =>
    refused(`${what} is not among what this server may touch (lull mcp --only ${only.join(' ')})`)

  async function mayTouch({ pane }: Terminal, what: string): Promise<void> {
    if (only.length === 0) return
    for (const address of only) {
      await using named = await lull.terminal(address, { readOnly: true }).catch(() => undefined)
      if (named?.pane.id === pane.id && named.pane.socket === pane.socket) return
    }
    throw outside(what)
  }

  return {
    async terminal(address, readOnly = false) {
      const terminal = await lull.terminal(address, { readOnly })
      try {
        if (isAround(terminal))
          throw refused('this is the terminal in which you run: lull does not act on it')
        await mayTouch(terminal, address ?? terminal.pane.id)
        return terminal
      } catch (error) {
        await terminal.close()
        throw error
      }
    },
    visible: sessions => sessions.filter(session => !isOwnSession(session) && isNamed(session, sessions)),
    async session(address) {
      const found = await lull.find(address)
      if (isOwnSession(found)) throw refused('this is the session in which you run: it would wait for itself')
      if (!isNamed(found, await lull.sessions())) throw outside(address)
      return found
    },
    checkOpen(name) {
      if (only.length > 0 && (name === undefined || !only.includes(name)))
        throw outside(name ?? 'a new terminal')
    },
  }
}

/**
 * The terminal around this process: one that a program above it has, or that its environment names. Clients start their
 * servers with pipes, some with little of their environment.
 */
function isAround({ pane: { socket, id, tty } }: Terminal): boolean {
  const { env } = process
  const above = [...ancestors(process.pid, mostAncestors)]
  if (above.some(pid => terminalPath(readStat(pid)?.tty ?? 0) === tty)) return true
  if (socket === placesOf().terminals) return env[terminalVariable] === id && !env.TMUX_PANE
  const own = socketAround(env)
  return own !== undefined && isSameSocket(own, socket) && env.TMUX_PANE === id
}
