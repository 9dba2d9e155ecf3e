/** The pane that a SESSION means: a tmux address, a session that lull knows, or a process in a pane. */

import { statSync } from 'node:fs'
import { isLullError, LullError } from '../core/lull-error.ts'
import { attempt } from '../os/attempt.ts'
import { ancestors, readStat } from '../os/proc/stat.ts'
import type { PaneFacts, PaneTarget } from '../os/tmux/pane-facts.ts'
import { isSameSocket, socketAround, socketOf } from '../os/tmux/socket-path.ts'
import { listPanes } from '../os/tmux/tmux-server.ts'
import { type CallerContext, findSession } from '../sessions/address.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { findByAddress } from './pane-address.ts'

export type PaneSearch = {
  /** A tmux server: the path of its socket, or its name (`-L`). */
  readonly socket?: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly caller: CallerContext
  /** The sessions that lull knows; asked for only where the address is none of tmux. */
  readonly sessions: () => Promise<readonly LiveSession[]>
}

/** `session`: the agent that the address named, and not the pane. */
export type FoundPane = PaneTarget & { readonly session?: LiveSession }

/**
 * @param address as on the command line; nothing, or `tmux:`, for the default pane (`LULL_PANE`, else the only one)
 * @throws {LullError} NO_PANE, AMBIGUOUS_PANE, NO_SESSION, AMBIGUOUS_SESSION where none or several are meant; NO_SERVER
 *   where no tmux answers
 */
export async function findPane(address: string | undefined, where: PaneSearch): Promise<FoundPane> {
  const { env } = where
  const isDefault = address === undefined || address === 'tmux:'
  if (isDefault && env.LULL_PANE) return ofVariable(env.LULL_PANE, where)
  const given = isDefault ? 'tmux:' : address
  const inTmux = /^tmux:(.*)$/s.exec(given)?.[1] ?? (given.startsWith('%') ? given : undefined)
  if (inTmux === undefined) return ofSession(given, where)
  const socket = socketOf(where.socket, env)
  return { socket, facts: findByAddress(inTmux, await listPanes(socket), ownPane(socket, env)) }
}

/** An error names the variable: nobody gave the address on the command line. */
async function ofVariable(address: string, where: PaneSearch): Promise<FoundPane> {
  try {
    return await findPane(address, { ...where, env: { ...where.env, LULL_PANE: '' } })
  } catch (error) {
    if (isLullError(error)) error.message = `LULL_PANE: ${error.message}`
    throw error
  }
}

/** The pane around this program, if it is of that server. */
function ownPane(socket: string, env: PaneSearch['env']): string | undefined {
  const around = socketAround(env)
  return around !== undefined && isSameSocket(around, socket) ? env.TMUX_PANE : undefined
}

async function ofSession(address: string, where: PaneSearch): Promise<FoundPane> {
  const pid = Number(/^pid:([1-9]\d{0,9})$/.exec(address)?.[1])
  const sessions = await where.sessions()
  if (pid && !sessions.some(session => session.pid === pid)) {
    const socket = socketOf(where.socket, where.env)
    return { socket, facts: paneOf(pid, await listPanes(socket), `process ${pid}`) }
  }
  const session = findSession(address, sessions, where.caller)
  const name = `${session.agent} ${session.id}`
  if (session.recording !== undefined)
    throw new LullError('RECORDED', `${name} is a recording: its terminal is not here`)
  const socket = session.tmux ?? where.socket
  if (socket === undefined)
    throw new LullError(
      'NO_PANE',
      `${name} runs in no terminal that lull can type into: start it in tmux, or with lull open`,
    )
  const path = socketOf(socket, where.env)
  const found = { socket: path, facts: paneOf(session.pid, await listPanes(path), name) }
  return session.agent === 'terminal' ? found : { ...found, session }
}

/** Shells in shells, between a pane and its program. */
const mostShells = 12

/** The pane that a process is in now: the one that its environment names may have been closed since. */
function paneOf(pid: number, panes: readonly PaneFacts[], name: string): PaneFacts {
  const above = [...ancestors(pid, mostShells)]
  const tty = readStat(pid)?.tty
  const device = (pane: PaneFacts) => attempt(() => statSync(pane.tty).rdev)
  const found =
    panes.find(pane => above.includes(pane.pid)) ?? panes.find(pane => tty && device(pane) === tty)
  if (!found) throw new LullError('NO_PANE', `${name} is in no pane of the tmux server`)
  return found
}
