/** What a file descriptor points to, as a `Target`. */
import { statfsSync, statSync } from 'node:fs'
import { attempt } from '../../os/attempt.ts'
import { readText } from '../../os/proc/proc-file.ts'
import type { Stat } from '../../os/proc/stat.ts'
import { isTerminal, readSettings, terminalPath } from '../../os/tty/tty.ts'
import type { Holders, Target } from '../snapshot.ts'
import { pidOfPidfd } from './call/call.ts'
import { epollMembers } from './call/epoll.ts'
import { ringMembers } from './call/io-ring.ts'
import { signalsIn } from './details.ts'
import { alikeKey, type Direction, eventfdKey, type HolderKey, isMaster, masterKey } from './holders.ts'
import { tcpCounts, unixPeer } from './netlink.ts'
import type { Sockets } from './sockets.ts'

/** What the whole scan knows, for one process's files. */
export type ScanContext = {
  readonly pid: number
  readonly stat: Stat
  readonly sockets: () => Sockets
  readonly holders: (fd: number, key: HolderKey, direction?: Direction, isNameless?: boolean) => Holders
  /** A blocked thread waits on it: then its other end is looked for. */
  readonly isWaited: (fd: number) => boolean
  readonly withCounts: boolean
  readonly noteInFlight: () => void
}

const devices = new Set(['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'])

export function targetOf(fd: number, link: string, around: ScanContext): Target {
  if (link.startsWith('pipe:[')) return pipeOf(fd, link, link.slice(6, -1), around)
  if (link.startsWith('socket:[')) return socketOf(fd, link.slice(8, -1), around)
  if (link.startsWith('anon_inode:') || link.startsWith('pidfd:')) return anonymous(fd, link, around)
  if (link === '/dev/tty' || isTerminal(link)) return terminal(fd, link, around)
  if (devices.has(link)) return { type: 'device', path: link }
  if (isMaster(link)) return master(fd, link, around)
  if (link.startsWith('/dev/') && !link.startsWith('/dev/shm/')) return { type: 'other', link }
  if (isQueue(fd, link, around.pid)) return queueOf(fd, link, around)
  if (link.startsWith('/')) return fileOf(fd, link, around)
  return { type: 'other', link }
}

/** linux/magic.h: MQUEUE_MAGIC. */
const queueMagic = 0x1980_0202

/** A POSIX message queue is shown by its name, which begins with the only slash in it. */
const isQueue = (fd: number, link: string, pid: number): boolean =>
  /^\/[^/]+$/.test(link) && attempt(() => statfsSync(`/proc/${pid}/fd/${fd}`).type) === queueMagic

const queueOf = (fd: number, link: string, { pid, holders }: ScanContext): Target =>
  isNameless(pid, fd, link)
    ? { type: 'queue', holders: holders(fd, link, undefined, true) }
    : { type: 'other', link: `mqueue:${link}` }

/** No name is left by which anybody could open it: the one that it was opened by may be gone, and another one be there. */
const isNameless = (pid: number, fd: number, link: string): boolean =>
  link.endsWith(' (deleted)') && attempt(() => statSync(`/proc/${pid}/fd/${fd}`).nlink) === 0

/** A named pipe has a file's name; only what is waited on is asked, as a dead network file system would not answer. */
function fileOf(fd: number, link: string, around: ScanContext): Target {
  const isPipe = around.isWaited(fd) && attempt(() => statSync(`/proc/${around.pid}/fd/${fd}`).isFIFO())
  if (!isPipe) return { type: 'file', path: link }
  // Without a name it is as any other pipe.
  if (isNameless(around.pid, fd, link)) return pipeOf(fd, link, `nameless:${link}`, around, true)
  return pipeOf(fd, link, link, around)
}

function pipeOf(
  fd: number,
  link: string,
  inode: string,
  { holders }: ScanContext,
  isNameless?: boolean,
): Target {
  const readers = holders(fd, link, 'read', isNameless)
  return { type: 'pipe', inode, readers, writers: holders(fd, link, 'write', isNameless) }
}

function anonymous(fd: number, link: string, { pid, holders, isWaited }: ScanContext): Target {
  const sharers = () => (isWaited(fd) ? { holders: holders(fd, alikeKey(link, pid, fd)) } : {})
  const info = () => readText(`/proc/${pid}/fdinfo/${fd}`)
  if (link.includes('[eventpoll]')) {
    const watched = epollMembers(pid, fd)
    return watched ? { type: 'epoll', watched, ...sharers() } : { type: 'hidden', why: 'fdinfo' }
  }
  if (link.includes('[eventfd]')) {
    const count = /^eventfd-count:\s*([0-9a-f]+)/m.exec(info())?.[1]
    const key = eventfdKey(pid, fd)
    const unknown = { pids: [pid], isWhole: false }
    return {
      type: 'eventfd',
      count: Number.parseInt(count ?? '0', 16),
      holders: key ? holders(fd, key) : unknown,
    }
  }
  if (link.includes('[signalfd]')) {
    const mask = /^sigmask:\s*([0-9a-f]+)/m.exec(info())?.[1]
    return { type: 'signalfd', ...(mask !== undefined && { signals: signalsIn(BigInt(`0x${mask}`)) }) }
  }
  if (link.includes('[timerfd]')) {
    const [, seconds, nanoseconds] = /^it_value: \((\d+), (\d+)\)/m.exec(info()) ?? []
    const remaining = Number(seconds ?? 0) * 1000 + Number(nanoseconds ?? 0) / 1e6
    return seconds === undefined
      ? { type: 'hidden', why: 'fdinfo' }
      : { type: 'timerfd', ...(remaining > 0 ? { remaining } : sharers()) }
  }
  if (link.includes('inotify')) return { type: 'inotify' }
  if (link.includes('[io_uring]')) {
    const watched = ringMembers(pid, fd)
    return { type: 'uring', ...(watched && { watched }) }
  }
  if (link.includes('pidfd')) return { type: 'pidfd', pid: pidOfPidfd(info()) ?? -1 }
  return { type: 'other', link }
}

function terminal(fd: number, link: string, { pid, stat, isWaited, holders }: ScanContext): Target {
  const controlling = terminalPath(stat.tty)
  const path = link === '/dev/tty' ? (controlling ?? link) : link
  // Opening the link opens the same device, in whatever container it is; but /dev/tty would be lull's own.
  const settings = isWaited(fd)
    ? readSettings(link === '/dev/tty' ? path : `/proc/${pid}/fd/${fd}`)
    : undefined
  const index = /^\/dev\/pts\/(\d+)$/.exec(path)?.[1]
  return {
    type: 'tty',
    path,
    ...(path === controlling && stat.foreground > 0 && { foreground: stat.foreground }),
    ...(settings && { echo: settings.echo, canonical: settings.canonical }),
    ...(index !== undefined && { master: holders(fd, `master:${index}`) }),
  }
}

/** The master side of a pseudo terminal reads what its slave's holders write, and the other way round: a pipe both ways. */
function master(fd: number, link: string, { pid, holders }: ScanContext): Target {
  const index = masterKey(pid, fd)?.slice('master:'.length)
  if (index === undefined) return { type: 'other', link }
  const slaves = holders(fd, `/dev/pts/${index}`)
  return { type: 'pipe', inode: `ptmx:${index}`, readers: slaves, writers: slaves }
}

function socketOf(fd: number, inode: string, around: ScanContext): Target {
  const sockets = around.sockets()
  const row = sockets.tcp.get(inode)
  const isWaited = around.isWaited(fd)
  if (row) {
    const peer = isWaited ? sockets.peerOf(row) : undefined
    const counts = around.withCounts && isWaited ? tcpCounts(row.local, row.remote) : undefined
    return {
      type: 'tcp',
      ...row,
      ...counts,
      ...(peer && { peer: around.holders(fd, `socket:[${peer.inode}]`) }),
    }
  }
  const isListening = sockets.unix.get(inode)
  if (isListening !== undefined) {
    if (/^scm_fds:\s*[1-9]/m.test(readText(`/proc/${around.pid}/fdinfo/${fd}`))) around.noteInFlight()
    const peer = isWaited && !isListening ? unixPeer(inode) : undefined
    return { type: 'unix', inode, isListening, ...(peer && { peer: around.holders(fd, `socket:[${peer}]`) }) }
  }
  return sockets.udp.has(inode) ? { type: 'udp', inode } : { type: 'socket', inode }
}
