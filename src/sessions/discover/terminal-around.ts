/**
 * The terminal around a process, by the processes above it: a launcher may empty the environment, and sudo hides it. The nearest
 * counts, because a tmux server may run in a terminal of lull's own.
 */
import { readdirSync, readlinkSync } from 'node:fs'
import { attempt } from '../../os/attempt.ts'
import { holderOf } from '../../os/file/lock.ts'
import { placesOf } from '../../os/file/places.ts'
import { readText } from '../../os/proc/proc-file.ts'
import { ancestors, readStat, type Stat } from '../../os/proc/stat.ts'
import { isTerminalName, terminalVariable } from '../../owned/terminal-name.ts'
import { readNoted, serverLock } from '../../owned/terminals-note.ts'
import { systemTable } from './system-table.ts'

/** A terminal of lull's own by its name, or the socket of a tmux server. Neither: its terminal is another one. */
export type TerminalAround = { readonly terminal?: string; readonly tmux?: string }

/** Launchers, shells and relays between a terminal and its program. */
export const mostAbove = 20

/** Undefined where no process above it holds a terminal that lull knows, or it has none itself. */
export function terminalAround(pid: number): TerminalAround | undefined {
  if (!readStat(pid)?.tty) return undefined
  const noted = readNoted(placesOf())
  let below: Stat | undefined
  for (const above of ancestors(pid, mostAbove)) {
    const stat = readStat(above)
    const owned = noted.find(one => one.pid === above && one.start === stat?.startTicks)
    if (owned) return { terminal: owned.name }
    const socket = stat?.name === 'tmux: server' ? socketOf(above, stat.startTicks) : undefined
    if (socket !== undefined) return { tmux: socket }
    if (stat && below && isElsewhere(below, stat)) return isOurServer(stat) ? opened(below.pid) : {}
    below = stat
  }
  return undefined
}

/**
 * Who opens a terminal starts the first process of its session (forkpty(3)). If it has none itself, as what agents start has none,
 * nobody sees the other one in its pane (`script` in the background): the pane in the environment is the one of who started it.
 */
const isElsewhere = (first: Stat, opener: Stat): boolean =>
  first.pid === first.session && opener.tty === 0 && opener.name !== 'tmux: server'

/** It notes a terminal right after it opened it, and a program may be found in between: once, and for its life. */
const isOurServer = ({ pid, startTicks }: Stat): boolean => {
  const holder = attempt(() => holderOf(serverLock(placesOf())))
  return typeof holder === 'object' && holder.pid === pid && holder.start === startTicks
}

/** What the server calls the terminal whose first process this is. */
function opened(pid: number): TerminalAround {
  const { [terminalVariable]: terminal = '' } = systemTable().environment(pid)
  return isTerminalName(terminal) ? { terminal } : {}
}

const sockets = new Map<string, string>()

/** A server keeps the path of its socket, and has many agents below it. */
function socketOf(pid: number, start: string): string | undefined {
  const server = `${pid} ${start}`
  const socket = sockets.get(server) ?? listenedTo(pid)
  if (socket !== undefined) sockets.set(server, socket)
  return socket
}

/** The path of the socket that a process listens to, from the kernel's table (proc(5), /proc/net/unix). A container's path is another file here. */
function listenedTo(pid: number): string | undefined {
  if (systemTable().whyUnread(pid) !== undefined) return undefined
  const fds = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []
  const open = new Set(fds.flatMap(fd => attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? []))
  for (const row of readText(`/proc/${pid}/net/unix`).split('\n')) {
    const [, flags, inode, file] = /^\S+ \S+ \S+ (\S+) \S+ \S+ +(\d+) (\/.*)$/.exec(row) ?? []
    if (flags === acceptsConnections && open.has(`socket:[${inode}]`))
      return Buffer.from(file as string, 'latin1').toString()
  }
  return undefined
}

/** __SO_ACCEPTCON of linux/net.h. */
const acceptsConnections = '00010000'
