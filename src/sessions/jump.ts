/** Brings a person to a session's tmux pane, after checking that the session is in it. */
import { spawn } from 'node:child_process'
import { readlinkSync, statSync } from 'node:fs'
import { attempt } from '../os/attempt.ts'
import { placesOf } from '../os/file/places.ts'
import { ancestors, readStat } from '../os/proc/stat.ts'
import { quoteWord } from '../os/spawn/shell-words.ts'
import { askTmux } from '../os/tmux/ask-tmux.ts'
import { isSameSocket, whyNotConnected } from '../os/tmux/socket-path.ts'
import { attach } from '../owned/attach.ts'
import type { LiveSession } from './session-source.ts'

/** @param socket of that server */
export async function sessionsAround(
  sessions: readonly LiveSession[],
  socket: string,
): Promise<{ readonly near: readonly LiveSession[]; readonly here: LiveSession | undefined }> {
  const near = sessions.filter(({ tmux }) => tmux !== undefined && isSameSocket(tmux, socket))
  // Where nobody can tell, none is shown.
  const shown = await askTmux(socket, 'display-message', '-p', '#{pane_id}').catch(() => '')
  return { near, here: near.find(({ pane }) => pane === shown.trim()) }
}

/** Where the person is: in a tmux server, at a terminal outside of one, or in neither. */
export type Standpoint = { readonly tmux?: string; readonly isTerminal: boolean }

export type Jump =
  | { readonly type: 'jumped' }
  /** It runs in no pane that can be shown: `why` is a clause. */
  | { readonly type: 'unplaced'; readonly why: string }
  /** The person has to type this. */
  | { readonly type: 'command'; readonly command: string; readonly why: string }

type Pane = { readonly id: string; readonly socket: string }

/** Shows the pane to the person. At a terminal outside tmux it returns once the person has left it again. */
export async function jump(session: LiveSession, standpoint: Standpoint): Promise<Jump> {
  const { pane: id, tmux: socket, terminal } = session
  if (terminal !== undefined) return intoOwned(terminal, standpoint)
  if (id === undefined || socket === undefined) return { type: 'unplaced', why: 'it is in no tmux pane' }
  const pane = { id, socket }
  const why = await whyNotThere(session.pid, pane)
  if (why !== undefined) return { type: 'unplaced', why }
  const attach = ['attach-session', '-t', id]
  const command = ['tmux', '-S', socket, ...attach].map(quoteWord).join(' ')
  if (standpoint.tmux !== undefined && !isSameSocket(standpoint.tmux, socket))
    return { type: 'command', command, why: 'it is in another tmux server than this terminal' }
  if (standpoint.tmux === undefined && !standpoint.isTerminal)
    return { type: 'command', command, why: 'there is no terminal here to show it in' }
  try {
    await askTmux(socket, 'select-window', '-t', id, ';', 'select-pane', '-t', id)
    if (standpoint.tmux !== undefined) await askTmux(socket, 'switch-client', '-t', id)
    else await attached(socket, attach)
    return { type: 'jumped' }
  } catch (error) {
    return { type: 'command', command, why: `tmux refuses (${(error as Error).message})` }
  }
}

/** At a terminal it returns once the person has left it again. */
async function intoOwned(terminal: string, { isTerminal }: Standpoint): Promise<Jump> {
  const command = `lull attach ${terminal}`
  if (!isTerminal) return { type: 'command', command, why: 'there is no terminal here to show it in' }
  try {
    await attach(terminal, placesOf())
    return { type: 'jumped' }
  } catch (error) {
    return { type: 'unplaced', why: (error as Error).message }
  }
}

/** Shells in shells, between a pane and its agent. */
const mostShells = 12

/** The environment of a process names its pane at its start; the pane may have been closed since. */
async function whyNotThere(pid: number, { id, socket }: Pane): Promise<string | undefined> {
  const format = '#{pane_id} #{pane_pid} #{pane_tty}'
  const reply = await askTmux(socket, 'display-message', '-p', '-t', id, format).catch(
    (error: Error) => error,
  )
  if (reply instanceof Error) return `tmux does not tell of its pane ${id} (${reply.message})`
  const [known, panePid, tty = ''] = reply.trim().split(' ')
  // Asked for a pane that is closed, tmux answers with blanks.
  if (known !== id) return `its pane ${id} is closed`
  const isIn = [...ancestors(pid, mostShells)].includes(Number(panePid)) || isOnTerminal(pid, tty)
  return isIn ? undefined : `it is not in its pane ${id} any more`
}

function isOnTerminal(pid: number, tty: string): boolean {
  const device = attempt(() => statSync(tty).rdev)
  return device !== undefined && device !== 0 && readStat(pid)?.tty === device
}

function attached(socket: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const foreign = whyNotConnected(socket)
    if (foreign !== undefined) throw new Error(foreign)
    const child = spawn('tmux', ['-S', socket, ...args], { stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', code => (code === 0 ? resolve() : reject(new Error(`it ended with ${code}`))))
  })
}

/** The terminal that a process reads or writes. */
export function terminalOf(pid: number): string | undefined {
  const open = [0, 1, 2].map(fd => attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)))
  return open.find(file => file !== undefined && /^\/dev\/(pts\/|tty)/.test(file))
}
