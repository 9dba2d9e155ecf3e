/** What a file descriptor promises to a thread that waits on it. */

import type { Process, Target, Want, Watched } from '../snapshot.ts'
import type { Ground, GroundType, Source } from './graph.ts'
import { fromChildren, fromHolders, fromItself } from './peers.ts'
import { fromTcp } from './tcp-source.ts'
import { namesOf, type Scene } from './tree-index.ts'

/** A look at the tree: the scene, and the same process a look earlier. */
export type Look = { readonly scene: Scene; readonly program: Process; readonly before: Process | undefined }

/** Sources of a thread that waits on descriptors; each nested set is opened once. */
export function fromWatched(
  look: Look,
  watched: readonly Watched[],
  opened: ReadonlySet<number> = new Set(),
): readonly Source[] {
  return inOrder(watched).flatMap(one => fromOne(look, one, opened))
}

const inOrder = (watched: readonly Watched[]): readonly Watched[] =>
  [...watched].sort((a, b) => a.fd - b.fd || (a.want < b.want ? -1 : 1))

const ground = (type: GroundType, what: string, pids: readonly number[] = []): readonly Ground[] => [
  { type, what, pids },
]

function fromOne(look: Look, { fd, want }: Watched, opened: ReadonlySet<number>): readonly Source[] {
  const { scene, program, before } = look
  const target = program.fds[fd]
  if (target === undefined) return ground('unknown', `descriptor ${fd}, which could not be looked at`)
  switch (target.type) {
    case 'pipe':
      return fromPipe(look, fd, target, want)
    case 'unix':
      return fromUnix(look, fd, target, want)
    case 'tty':
      return fromTerminal(look, target, want)
    case 'tcp': {
      const earlier = before?.fds[fd]
      const same = earlier?.type === 'tcp' && earlier.inode === target.inode ? earlier : undefined
      return fromTcp(scene, program, target, want, same)
    }
    case 'udp':
      return ground('network', 'a datagram socket')
    case 'socket':
      return ground('unknown', 'a socket of the kernel’s')
    case 'file':
      return ground('disk', `the file ${target.path}`)
    case 'device':
      return ground('unknown', `the device ${target.path}`)
    case 'eventfd':
      return fromHolders(scene, program, target.holders, {
        via: 'read',
        what: 'an event counter',
        supervisor: {
          type: 'outsider',
          what: 'an event counter of this lull',
          pids: [scene.snapshot.supervisor],
        },
      })
    case 'signalfd':
      return [...fromChildren(scene, program, 'exit'), ...ground('signal', 'a signal')]
    case 'timerfd':
      return target.remaining === undefined
        ? fromItself(scene, program, 'a timer that is not set')
        : [{ type: 'timer', what: 'a timer', pids: [], ms: target.remaining }]
    case 'epoll':
      return opened.has(fd) ? [] : fromWatched(look, target.watched, new Set([...opened, fd]))
    case 'inotify':
      return ground('outsider', 'files to change')
    case 'pidfd':
      return fromPidfd(look, target.pid)
    case 'uring':
      return fromRing(look, target.watched, new Set([...opened, fd]))
    case 'other':
      return ground('unknown', `descriptor ${fd} (${target.link.slice(0, 60)})`)
    case 'hidden':
      return ground('unknown', `descriptor ${fd}, which may not be looked at (${target.why})`)
  }
}

/** What an io_uring holds is inferred: a doubt stays, unless nothing is pending. */
export function fromRing(
  look: Look,
  watched: readonly Watched[] | undefined,
  opened: ReadonlySet<number> = new Set(),
): readonly Source[] {
  if (watched === undefined) return ground('unknown', 'requests in an io_uring that could not be read')
  if (watched.length === 0) return fromItself(look.scene, look.program, 'an io_uring with nothing pending')
  return fromWatched(look, watched, opened)
}

function fromPidfd({ scene }: Look, pid: number): readonly Source[] {
  const what = `the end of ${scene.nameOf(pid)}`
  return scene.processes.has(pid)
    ? [{ type: 'edge', via: 'child', pid, what }]
    : ground('outsider', what, [pid])
}

function fromPipe(
  { scene, program }: Look,
  fd: number,
  pipe: Extract<Target, { type: 'pipe' }>,
  want: Want,
): readonly Source[] {
  if (want === 'write')
    return fromHolders(scene, program, pipe.readers, {
      via: 'write',
      what: 'a full pipe',
      supervisor: read(scene),
    })
  const what = isGiven(scene, fd, pipe.inode) ? 'its stdin, a pipe' : 'a pipe'
  // A pipe that has a name may be opened by anyone at any time, as a socket may be connected to.
  const named = pipe.inode.startsWith('/') ? ground('server', `writers to the named pipe ${pipe.inode}`) : []
  const holders = fromHolders(scene, program, pipe.writers, {
    via: 'read',
    what,
    supervisor: input(scene, `${what} that this lull holds and has not written`),
  })
  return [...named, ...holders]
}

function fromUnix(
  { scene, program }: Look,
  fd: number,
  socket: Extract<Target, { type: 'unix' }>,
  want: Want,
): readonly Source[] {
  if (socket.isListening) return ground('server', 'clients on a unix socket')
  if (socket.peer === undefined) return ground('unknown', 'a unix socket whose other end was not found')
  const { supervisor } = scene.snapshot
  if (want === 'write')
    return fromHolders(scene, program, socket.peer, {
      via: 'write',
      what: 'a full socket',
      supervisor: read(scene),
    })
  const isStdin = isGiven(scene, fd, socket.inode)
  const what = isStdin ? 'its stdin, a socket' : 'a unix socket'
  return fromHolders(scene, program, socket.peer, {
    via: 'read',
    what,
    // Node gives a child's stdin as one of a pair of sockets; any other socket to the supervisor is a conversation.
    supervisor: isStdin
      ? input(scene, `${what} that this lull holds and has not written`)
      : { type: 'outsider', what: 'a socket to this lull', pids: [supervisor] },
  })
}

function fromTerminal(
  { scene, program }: Look,
  tty: Extract<Target, { type: 'tty' }>,
  want: Want,
): readonly Source[] {
  const { supervisor } = scene.snapshot
  const name = `the terminal ${tty.path}`
  const master = tty.master?.pids ?? []
  const isOurs = master.includes(supervisor) || master.some(pid => scene.processes.has(pid))
  if (want === 'write') {
    if (tty.master && isOurs)
      return fromHolders(scene, program, tty.master, { via: 'write', what: name, supervisor: read(scene) })
    return ground('reader', `${name}, which takes no more output`, master)
  }
  if (tty.master && isOurs)
    return fromHolders(scene, program, tty.master, {
      via: 'read',
      what: name,
      supervisor: input(scene, `${name} that this lull holds and types nothing into`),
    })
  const who = master.length > 0 ? `, held by ${namesOf(scene, master)}` : ''
  return ground('person', `${name}${who}, where a person may sit`, master)
}

const isGiven = (scene: Scene, fd: number, inode: string): boolean => fd === 0 || scene.given.has(inode)

const input = (scene: Scene, what: string): Ground => ({
  type: scene.options.owesInput ? 'person' : 'input',
  what: scene.options.owesInput ? what.replace('has not written', 'may still write') : what,
  pids: [scene.snapshot.supervisor],
})

const read = (scene: Scene): Ground => ({
  type: 'reader',
  what: 'output that this lull has not read yet',
  pids: [scene.snapshot.supervisor],
})
