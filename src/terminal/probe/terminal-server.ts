/**
 * The program behind a client in the foreground that holds the terminals which are shown: it has the client's terminal open
 * (screen), or the other end of the client's socket (dtach, abduco). To find it all descriptors of the machine are looked
 * through, once a client.
 */
import { listFolder } from '../../os/proc/proc-file.ts'
import { readStat } from '../../os/proc/stat.ts'
import { isMaster, readDescriptors } from '../../process/linux/holders.ts'
import { unixPeer } from '../../process/linux/netlink.ts'
import { readSockets } from '../../process/linux/sockets.ts'
import { readingOf, type TerminalProcess } from './probed.ts'

type Found = {
  /** Of the client, with its sockets: another program in the same process has others. */
  readonly key: string
  readonly server?: { readonly pid: number; readonly startTicks: string }
  /** ms; when it is worth while to look again. */
  readonly until: number
}

const known = new Map<number, Found>()
const mostKnown = 64

/** A client is there before its server has opened its terminal: ms. */
const againMs = 1000

/** glibc's pause is ppoll on arm64. */
const forSignals = /^(?:pause|rt_sigsuspend|rt_sigtimedwait|ppoll)$/

/** Undefined where it is no client, or is not known to be one. */
export function serverOf(client: TerminalProcess, tty: string): number | undefined {
  const reading = readingOf(client)
  const isAsleep = client.calls.every(call => call.type === 'blocked' && forSignals.test(call.name))
  // It reads its terminal and a socket, or leaves both to its server.
  if (reading ? reading.others === 0 : !isAsleep) return undefined
  const { links } = readDescriptors(client.pid)
  const sockets = [...links.values()].filter(link => link.startsWith('socket:['))
  if (reading && sockets.length === 0) return undefined
  const key = `${readStat(client.pid)?.startTicks} ${tty} ${sockets}`
  const before = known.get(client.pid)
  const isSame = before?.key === key
  if (isSame && before.server && readStat(before.server.pid)?.startTicks === before.server.startTicks)
    return before.server.pid
  if (isSame && performance.now() < before.until) return undefined
  const wanted = reading ? peersOf(client.pid, sockets) : [tty]
  const pid = wanted.length === 0 ? undefined : holderOf(client.pid, wanted)
  const stat = pid === undefined ? undefined : readStat(pid)
  if (known.size >= mostKnown) known.clear()
  known.set(client.pid, {
    key,
    ...(stat ? { server: { pid: stat.pid, startTicks: stat.startTicks } } : {}),
    // Who has a socket has had its other end from the beginning.
    until: reading ? Infinity : performance.now() + againMs,
  })
  return stat?.pid
}

/** The other ends of its unix sockets, as links. */
function peersOf(pid: number, sockets: readonly string[]): readonly string[] {
  const { unix } = readSockets(pid)
  return sockets.flatMap(link => {
    const inode = link.slice('socket:['.length, -1)
    const peer = unix.has(inode) ? unixPeer(inode) : undefined
    return peer === undefined ? [] : [`socket:[${peer}]`]
  })
}

/** The first other process that has one of these files and the other end of a terminal. */
function holderOf(client: number, wanted: readonly string[]): number | undefined {
  const names = listFolder('/proc')
  if ('error' in names) return undefined
  const session = readStat(client)?.session
  return names
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .find(pid => {
      if (pid === client || pid === process.pid) return false
      const links = [...readDescriptors(pid).links.values()]
      return (
        links.some(link => wanted.includes(link)) &&
        links.some(isMaster) &&
        readStat(pid)?.session !== session
      )
    })
}
