/** What a file descriptor promises to a thread that waits on it. */

import type { FdWait, Process, Target, Want } from '../snapshot.ts'
import {
  fromChildren,
  fromHolders,
  fromItself,
  fromOthers,
  fromSharers,
  namelessQueue,
} from './peer-source.ts'
import { kindOf } from './signals.ts'
import { fromTcp } from './tcp-source.ts'
import { namesOf, type TreeIndex } from './tree-index.ts'
import { type ExternalSource, external, ownThreads, type WakeSource } from './wait-graph.ts'

/** What one scan shows of a process: the tree around it, and the same process in the scan before. */
export type ScanView = {
  readonly tree: TreeIndex
  readonly program: Process
  readonly before: Process | undefined
}

/** Sources of a thread that waits on descriptors; each nested set is opened once. */
export function fromWatched(
  view: ScanView,
  watched: readonly FdWait[],
  opened: ReadonlySet<number> = new Set(),
): readonly WakeSource[] {
  return inOrder(watched).flatMap(one => fromOne(view, one, { opened, watchedCount: watched.length }))
}

type Around = { readonly opened: ReadonlySet<number>; readonly watchedCount: number }

const inOrder = (watched: readonly FdWait[]): readonly FdWait[] =>
  [...watched].sort((a, b) => a.fd - b.fd || (a.want < b.want ? -1 : 1))

function fromOne(
  view: ScanView,
  { fd, want }: FdWait,
  { opened, watchedCount }: Around,
): readonly WakeSource[] {
  const { tree, program, before } = view
  const target = program.fds[fd]
  if (target === undefined) return external('unknown', `descriptor ${fd}, which could not be looked at`)
  switch (target.type) {
    case 'pipe':
      return fromPipe(view, fd, target, want)
    case 'unix':
      return fromUnix(view, fd, target, want)
    case 'tty':
      return fromTerminal(view, target, want)
    case 'tcp': {
      const earlier = before?.fds[fd]
      const same = earlier?.type === 'tcp' && earlier.inode === target.inode ? earlier : undefined
      return fromTcp(tree, program, target, want, same)
    }
    case 'udp':
      return external('network', 'a datagram socket')
    case 'socket':
      return external('unknown', 'a socket of the kernel’s')
    case 'file':
      return fromFile(target.path, watchedCount)
    case 'device':
      return external('unknown', `the device ${target.path}`)
    case 'eventfd':
      if (program.kernelCounts !== undefined)
        return external('outsider', `an event counter that the kernel may count up (${program.kernelCounts})`)
      return fromHolders(tree, program, target.holders, {
        via: 'read',
        what: 'an event counter',
        supervisor: {
          type: 'outsider',
          what: `an event counter of ${lullOf(tree)}`,
          pids: [tree.snapshot.supervisor],
        },
      })
    case 'queue':
      return fromSharers(tree, program, target.holders, namelessQueue)
    case 'signalfd':
      return fromSignalFile(tree, program, target.signals)
    case 'timerfd':
      return target.remaining === undefined
        ? target.holders
          ? fromSharers(tree, program, target.holders, 'a timer that is not set')
          : fromItself(tree, program, 'a timer that is not set')
        : [{ type: 'timer', what: 'a timer', pids: [], ms: target.remaining }]
    case 'epoll':
      return opened.has(fd)
        ? []
        : [
            ...fromWatched(view, target.watched, new Set([...opened, fd])),
            ...fromOthers(tree, program, target.holders, 'an epoll'),
          ]
    case 'inotify':
      return external('outsider', 'files to change')
    case 'pidfd':
      return fromPidfd(view, target.pid)
    case 'uring':
      return opened.has(fd) ? [] : fromRing(view, target.watched, new Set([...opened, fd]))
    case 'other':
      return external('unknown', `descriptor ${fd} (${target.link.slice(0, 60)})`)
    case 'hidden':
      return external('unknown', `descriptor ${fd}, which may not be looked at (${target.why})`)
  }
}

/**
 * A file of the kernel's may be polled for changes. Any other file never blocks in an interruptible wait: beside a pipe it is
 * only where the bytes come from; alone it is on a file system that another program serves.
 */
function fromFile(path: string, watchedCount: number): readonly WakeSource[] {
  const isOfKernel = /^\/(proc|sys)\//.test(path)
  return isOfKernel || watchedCount === 1 ? external('outsider', `changes of the file ${path}`) : []
}

/** Its children stand in the graph, and signals that would only end it wake nothing. */
function fromSignalFile(
  tree: TreeIndex,
  program: Process,
  signals: readonly string[] | undefined,
): readonly WakeSource[] {
  const ends = fromChildren(tree, program, 'exit')
  const isLess = (name: string): boolean => name === 'CHLD' && ends.length > 0
  const isNews = signals?.some(name => kindOf(name) === 'event' && !isLess(name)) ?? true
  return isNews
    ? [...ends, ...external('signal', 'a signal')]
    : [...ends, ownThreads(program, 'a signal that would end it')]
}

/** What an io_uring holds is inferred: a doubt stays, unless nothing is pending. */
export function fromRing(
  view: ScanView,
  watched: readonly FdWait[] | undefined,
  opened: ReadonlySet<number> = new Set(),
): readonly WakeSource[] {
  if (watched === undefined) return external('unknown', 'requests in an io_uring that could not be read')
  if (watched.length === 0) return fromItself(view.tree, view.program, 'an io_uring with nothing pending')
  return fromWatched(view, watched, opened)
}

function fromPidfd({ tree }: ScanView, pid: number): readonly WakeSource[] {
  const what = `the end of ${tree.nameOf(pid)}`
  return tree.processes.has(pid)
    ? [{ type: 'edge', via: 'child', pid, what }]
    : external('outsider', what, [pid])
}

function fromPipe(
  { tree, program }: ScanView,
  fd: number,
  pipe: Extract<Target, { type: 'pipe' }>,
  want: Want,
): readonly WakeSource[] {
  if (want === 'write')
    return fromHolders(tree, program, pipe.readers, {
      via: 'write',
      what: 'a full pipe',
      supervisor: read(tree),
    })
  const isNamed = pipe.inode.startsWith('/')
  const kind = isNamed ? `the named pipe ${pipe.inode}` : 'a pipe'
  const what = isGiven(tree, fd, pipe.inode) ? `its stdin, ${kind}` : kind
  // A pipe that has a name may be opened by anyone at any time, as a socket may be connected to.
  const named = isNamed ? external('server', `writers to the named pipe ${pipe.inode}`) : []
  const holders = fromHolders(tree, program, pipe.writers, {
    via: 'read',
    what,
    supervisor: input(tree, `${what} that ${lullOf(tree)} holds and has not written`),
  })
  return [...named, ...holders]
}

function fromUnix(
  { tree, program }: ScanView,
  fd: number,
  socket: Extract<Target, { type: 'unix' }>,
  want: Want,
): readonly WakeSource[] {
  if (socket.isListening) return external('server', 'clients on a unix socket')
  if (socket.peer === undefined) return external('unknown', 'a unix socket whose other end was not found')
  const { supervisor } = tree.snapshot
  if (want === 'write')
    return fromHolders(tree, program, socket.peer, {
      via: 'write',
      what: 'a full socket',
      supervisor: read(tree),
    })
  const isStdin = isGiven(tree, fd, socket.inode)
  const what = isStdin ? 'its stdin, a socket' : 'a unix socket'
  return fromHolders(tree, program, socket.peer, {
    via: 'read',
    what,
    // Node gives a child's stdin as one of a pair of sockets; any other socket to the supervisor is a conversation.
    supervisor: isStdin
      ? input(tree, `${what} that ${lullOf(tree)} holds and has not written`)
      : { type: 'outsider', what: `a socket to ${lullOf(tree)}`, pids: [supervisor] },
  })
}

function fromTerminal(
  { tree, program }: ScanView,
  tty: Extract<Target, { type: 'tty' }>,
  want: Want,
): readonly WakeSource[] {
  const { supervisor } = tree.snapshot
  const name = `the terminal ${tty.path}`
  const master = tty.master?.pids ?? []
  const isOurs = master.includes(supervisor) || master.some(pid => tree.processes.has(pid))
  if (want === 'write') {
    if (tty.master && isOurs)
      return fromHolders(tree, program, tty.master, { via: 'write', what: name, supervisor: read(tree) })
    return external('reader', `${name}, which takes no more output`, master)
  }
  if (tty.master && isOurs)
    return fromHolders(tree, program, tty.master, {
      via: 'read',
      what: name,
      supervisor: input(tree, `${name} that ${lullOf(tree)} holds and types nothing into`),
    })
  const who = master.length > 0 ? `, held by ${namesOf(tree, master)}` : ''
  return external('person', `${name}${who}, where a person may sit`, master)
}

const lullOf = (tree: TreeIndex): string => tree.nameOf(tree.snapshot.supervisor)

const isGiven = (tree: TreeIndex, fd: number, inode: string): boolean => fd === 0 || tree.given.has(inode)

const input = (tree: TreeIndex, what: string): ExternalSource => ({
  type: tree.options.owesInput ? 'person' : 'input',
  what: tree.options.owesInput ? what.replace('has not written', 'may still write') : what,
  pids: [tree.snapshot.supervisor],
})

const read = (tree: TreeIndex): ExternalSource => ({
  type: 'reader',
  what: `output that ${lullOf(tree)} has not read yet`,
  pids: [tree.snapshot.supervisor],
})
