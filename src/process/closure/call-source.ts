/** What could wake a thread, by its state and the call that it is in. */
import type { Call, Process, Thread, Timeout } from '../snapshot.ts'
import { fromRing, fromWatched, type ScanView } from './fd-source.ts'
import { fromChildren, fromOthers, fromSharers, namelessQueue } from './peer-source.ts'
import { handlersOf, runtimeOf } from './runtimes.ts'
import { isGone, namesOf, type TreeIndex } from './tree-index.ts'
import { external, ownThreads, type WakeSource } from './wait-graph.ts'

/** Beginnings of wchan, and who goes on with it; the file of Linux that has the function. */
const rows: readonly (readonly [prefix: string, who: string])[] = [
  // kernel/seccomp.c
  ['seccomp_', 'whoever decides on its system calls (seccomp)'],
  // fs/userfaultfd.c
  ['handle_userfault', 'whoever fills its memory (userfaultfd)'],
  // fs/notify/fanotify/fanotify.c
  ['fanotify_', 'whoever allows it to open a file (fanotify)'],
  // fs/fuse/dev.c
  ['request_wait_answer', 'the program behind a file system (FUSE)'],
  ['fuse_', 'the program behind a file system (FUSE)'],
  // net/sunrpc/sched.c
  ['rpc_', 'the server of a file system (NFS)'],
]

/** Another program that holds up a thread's call in the kernel, recognised by the function that the thread sleeps in. */
function fromBetween({ wchan }: Thread): readonly WakeSource[] | undefined {
  const row = rows.find(([prefix]) => wchan.startsWith(prefix))
  return row && external('outsider', row[1])
}

/** Sources that follow from a thread's state; undefined where its call decides. */
export function fromState(
  tree: TreeIndex,
  { tracer, isFrozen }: Process,
  thread: Thread,
  call: Call,
): readonly WakeSource[] | undefined {
  const { state, wchan } = thread
  const by = tracer === undefined ? [] : [tracer]
  if (state === 't') return external('traced', `its debugger ${namesOf(tree, by)}`.trimEnd(), by)
  if (state === 'T') return external('stopped', 'a signal to go on (SIGCONT)')
  // Frozen by cgroup v2, a thread sleeps on its way to a signal; by v1 it is in the refrigerator.
  if (isFrozen || wchan.includes('refrigerator') || (state === 'S' && wchan === 'get_signal'))
    return external('frozen', 'its control group to be thawed')
  const between = fromBetween(thread)
  if (between) return between
  if (call.type === 'running' || (call.type === 'none' && state === 'R'))
    return external('computing', 'nothing')
  // The parent of a vfork sleeps as if it waited for the disk.
  if (state === 'D' && call.type !== 'child' && call.type !== 'worker')
    return isOfDisk(call)
      ? external('disk', call.type === 'disk' ? `the disk (${call.name})` : 'the disk')
      : external('unknown', 'something that no signal interrupts (perhaps it is frozen)')
  return undefined
}

/** These sleep so that a signal ends it: since Linux 6.1 a thread that a control group of version 1 froze shows D in them. */
const isOfDisk = ({ type }: Call): boolean => !['sleep', 'futex', 'signal', 'shared', 'ring'].includes(type)

/** Sources of a thread that sleeps in a call. */
export function fromCall(view: ScanView, thread: Thread, call: Call): readonly WakeSource[] {
  const { tree, program } = view
  switch (call.type) {
    case 'running':
      return external('computing', 'nothing')
    case 'hidden':
      return external('unknown', `something that may not be looked at (${call.why})`)
    case 'none':
      return external('unknown', 'something outside of any system call')
    case 'fds':
      return [...fromWatched(view, call.fds), ...fromSet(view, call), ...fromTimeout(call.timeout)]
    case 'sleep':
      return call.timeout === undefined ? external('signal', 'a signal') : fromTimeout(call.timeout)
    case 'futex':
      return fromFutex(view, thread, call)
    case 'child':
      return [...fromWait(tree, program, call.pid), ...fromTimeout(call.timeout)]
    case 'signal':
      return [...fromSignal(tree, program, call.name), ...fromTimeout(call.timeout)]
    case 'lock':
      return fromLock(tree, program, call)
    case 'disk':
      return external('disk', `the disk (${call.name})`)
    case 'ring': {
      const target = program.fds[call.fd]
      const watched = target?.type === 'uring' ? target.watched : undefined
      return [...fromRing(view, watched), ...fromTimeout(call.timeout)]
    }
    case 'opens': {
      const other = call.want === 'read' ? 'writes' : 'reads'
      return external('outsider', `somebody who ${other} the named pipe ${call.path}`)
    }
    case 'shared': {
      const queue = call.fd === undefined ? undefined : program.fds[call.fd]
      return queue?.type === 'queue'
        ? [...fromSharers(tree, program, queue.holders, namelessQueue), ...fromTimeout(call.timeout)]
        : fromShared('a queue or semaphore that anyone may share', call.timeout)
    }
    case 'worker':
      return [ownThreads(program, 'its process')]
    case 'other':
      return external('unknown', `something unexplained (${call.name})`)
  }
}

/** Other threads, and other holders, may add to an epoll set while it is waited on. A poll of nothing waits for a signal. */
function fromSet(
  { tree, program }: ScanView,
  { name, fds, set }: Extract<Call, { type: 'fds' }>,
): readonly WakeSource[] {
  const target = set === undefined ? undefined : program.fds[set]
  const threads = name.startsWith('epoll') ? [ownThreads(program, 'its own threads')] : []
  const holders = target?.type === 'epoll' ? fromOthers(tree, program, target.holders, 'an epoll') : []
  const others = [...threads, ...holders]
  if (fds.length > 0) return others
  // In some runtimes the first thread waits for signals and passes them on to the others.
  const isRuntimes = runtimeOf(program)?.hasOneClock && handlersOf(program).events.length === 0
  return isRuntimes
    ? [...others, ownThreads(program, 'its own threads')]
    : [...others, ...fromSignal(tree, program, name)]
}

function fromTimeout(timeout: Timeout): readonly WakeSource[] {
  if (timeout === undefined) return []
  if (timeout === 'unknown') return [{ type: 'timer', what: 'a timer', pids: [] }]
  return [{ type: 'timer', what: 'a timer', pids: [], ms: timeout }]
}

function fromFutex(
  { tree, program }: ScanView,
  { tid }: Thread,
  { isPrivate, owner, joins, sharers, timeout }: Extract<Call, { type: 'futex' }>,
): readonly WakeSource[] {
  const timer = fromTimeout(timeout)
  const has = (wanted: number): boolean => program.threads.some(thread => thread.tid === wanted)
  if (joins !== undefined && has(joins))
    return [
      { type: 'edge', via: 'join', pid: program.pid, tid: joins, what: `the end of thread ${joins}` },
      ...timer,
    ]
  const holder = owner !== undefined && (has(owner) ? program : processOf(tree, owner))
  if (holder) {
    const who = owner === tid ? 'that it holds itself' : `that ${threadName(tree, holder, owner)} holds`
    return [{ type: 'edge', via: 'lock', pid: holder.pid, tid: owner, what: `a lock ${who}` }, ...timer]
  }
  if (owner !== undefined && !isPrivate)
    return [...external('outsider', 'a lock that a program outside of the tree holds'), ...timer]
  if (isPrivate) return [ownThreads(program, 'its own threads'), ...timer]
  return sharers
    ? [...fromSharers(tree, program, sharers, 'a word in memory that it shares'), ...timer]
    : fromShared('memory that anyone may share', timeout)
}

/** The process of the tree that has this thread. */
const processOf = (tree: TreeIndex, tid: number): Process | undefined =>
  [...tree.processes.values()].find(({ threads }) => threads.some(thread => thread.tid === tid))

/** Anyone may wake it, and is not known; where it gives up by itself, that is what is certain of it. */
const fromShared = (what: string, timeout: Timeout): readonly WakeSource[] =>
  typeof timeout === 'number' ? fromTimeout(timeout) : [...external('unknown', what), ...fromTimeout(timeout)]

export const threadName = (tree: TreeIndex, { pid }: Process, tid: number): string =>
  tid === pid ? tree.nameOf(pid) : `thread ${tid} of ${tree.nameOf(pid)}`

/** wait4's numbers: a child, -1 for any, 0 and below -1 for those of a process group. */
function fromWait(tree: TreeIndex, program: Process, pid: number): readonly WakeSource[] {
  const group = pid === 0 ? program.group : pid < -1 ? -pid : undefined
  const isMeant = (child: Process): boolean => {
    if (pid === -1) return true
    return group === undefined ? child.pid === pid : child.group === group
  }
  const children = (tree.children.get(program.pid) ?? []).filter(isMeant)
  const ended = [...tree.processes.values()].some(
    child => child.parent === program.pid && isGone(child) && isMeant(child),
  )
  if (ended) return external('unknown', 'a child that has just ended')
  if (children.length === 0) return external('unknown', 'a child that was not found')
  return children.map(child => ({
    type: 'edge',
    via: 'child',
    pid: child.pid,
    what: `the end of ${tree.nameOf(child.pid)}`,
  }))
}

/** A shell that has children suspends itself for their signals. Any other wait may be for a signal from anyone. */
function fromSignal(tree: TreeIndex, program: Process, call: string): readonly WakeSource[] {
  const ends = fromChildren(tree, program, 'child')
  return ends.length > 0 && call === 'rt_sigsuspend' ? ends : [...ends, ...external('signal', 'a signal')]
}

/** A holder that has ended left the lock to those who share its open file: only where one of them is named is it known. */
function fromLock(
  tree: TreeIndex,
  { pid: own, fds }: Process,
  { fd, owners }: Extract<Call, { type: 'lock' }>,
): readonly WakeSource[] {
  const file = fds[fd]
  const lock = file?.type === 'file' ? `the lock of ${file.path}` : 'a file lock'
  const sorted = [...owners].sort((a, b) => a - b)
  const inside = sorted.filter(pid => tree.processes.has(pid))
  const outside = sorted.filter(pid => tree.snapshot.outsiders.some(other => other.pid === pid))
  const isFound = inside.length + outside.length > 0
  return [
    ...inside.map<WakeSource>(pid => ({
      type: 'edge',
      via: 'lock',
      pid,
      what: `${lock} that ${pid === own ? 'it holds itself' : `${tree.nameOf(pid)} holds`}`,
    })),
    ...(outside.length > 0
      ? external('outsider', `${lock} that ${namesOf(tree, outside)} holds`, outside)
      : []),
    ...(isFound ? [] : external('unknown', `${lock} whose holder was not found`)),
  ]
}
