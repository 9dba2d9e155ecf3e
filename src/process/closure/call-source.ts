/** What could wake a thread, by the call that it is in. */

import type { Call, Process, Thread, Timeout } from '../snapshot.ts'
import { fromRing, fromWatched, type ScanView } from './fd-source.ts'
import { fromChildren } from './peer-source.ts'
import { isGone, namesOf, type TreeIndex } from './tree-index.ts'
import { external, type WakeSource } from './wait-graph.ts'

/** Sources that a thread's state tells, whatever its call; undefined where the call has to be looked at. */
export function fromState(
  tree: TreeIndex,
  { tracer, isFrozen }: Process,
  { state, wchan }: Thread,
  call: Call,
): readonly WakeSource[] | undefined {
  const by = tracer === undefined ? [] : [tracer]
  if (state === 't') return external('traced', `its debugger ${namesOf(tree, by)}`.trimEnd(), by)
  if (state === 'T') return external('stopped', 'a signal to go on (SIGCONT)')
  // Frozen by cgroup v2, a thread sleeps on its way to a signal; by v1 it is in the refrigerator.
  if (isFrozen || wchan.includes('refrigerator') || (state === 'S' && wchan === 'get_signal'))
    return external('frozen', 'its control group to be thawed')
  if (call.type === 'running' || (call.type === 'none' && state === 'R'))
    return external('computing', 'nothing')
  // The parent of a vfork sleeps as if it waited for the disk.
  if (state === 'D' && call.type !== 'child' && call.type !== 'worker')
    return external('disk', call.type === 'disk' ? `the disk (${call.name})` : 'the disk')
  return undefined
}

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
      return [...fromFutex(view, thread, call), ...fromTimeout(call.timeout)]
    case 'child':
      return [...fromWait(tree, program, call.pid), ...fromTimeout(call.timeout)]
    case 'signal':
      return [...fromSignal(tree, program, call.name), ...fromTimeout(call.timeout)]
    case 'lock':
      return fromLock(tree, call.owners)
    case 'disk':
      return external('disk', `the disk (${call.name})`)
    case 'ring': {
      const target = program.fds[call.fd]
      const watched = target?.type === 'uring' ? target.watched : undefined
      return [...fromRing(view, watched), ...fromTimeout(call.timeout)]
    }
    case 'shared':
      return [
        ...external('unknown', 'a queue or semaphore that anyone may share'),
        ...fromTimeout(call.timeout),
      ]
    case 'worker':
      return [own(program, 'its process')]
    case 'other':
      return external('unknown', `something unexplained (${call.name})`)
  }
}

/** Other threads may add to an epoll set while it is waited on. A poll of nothing waits for a signal. */
function fromSet(
  { tree, program }: ScanView,
  { name, fds }: Extract<Call, { type: 'fds' }>,
): readonly WakeSource[] {
  const others = name.startsWith('epoll') ? [own(program, 'its own threads')] : []
  return fds.length === 0 ? [...others, ...fromSignal(tree, program, name)] : others
}

function fromTimeout(timeout: Timeout): readonly WakeSource[] {
  if (timeout === undefined) return []
  if (timeout === 'unknown') return [{ type: 'timer', what: 'a timer', pids: [] }]
  return [{ type: 'timer', what: 'a timer', pids: [], ms: timeout }]
}

const own = ({ pid }: Process, what: string): WakeSource => ({ type: 'edge', via: 'own', pid, what })

function fromFutex(
  { tree, program }: ScanView,
  { tid }: Thread,
  { isPrivate, owner, joins }: Extract<Call, { type: 'futex' }>,
): readonly WakeSource[] {
  const has = (wanted: number): boolean => program.threads.some(thread => thread.tid === wanted)
  if (joins !== undefined && has(joins))
    return [{ type: 'edge', via: 'join', pid: program.pid, tid: joins, what: `the end of thread ${joins}` }]
  if (owner !== undefined && has(owner)) {
    const who = owner === tid ? 'that it holds itself' : `that ${threadName(tree, program, owner)} holds`
    return [{ type: 'edge', via: 'lock', pid: program.pid, tid: owner, what: `a lock ${who}` }]
  }
  if (isPrivate) return [own(program, 'its own threads')]
  return external('unknown', 'memory that anyone may share')
}

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
function fromLock(tree: TreeIndex, owners: readonly number[]): readonly WakeSource[] {
  const sorted = [...owners].sort((a, b) => a - b)
  const inside = sorted.filter(pid => tree.processes.has(pid))
  const outside = sorted.filter(pid => tree.snapshot.outsiders.some(other => other.pid === pid))
  const isFound = inside.length + outside.length > 0
  return [
    ...inside.map<WakeSource>(pid => ({
      type: 'edge',
      via: 'lock',
      pid,
      what: `a file lock that ${tree.nameOf(pid)} holds`,
    })),
    ...(outside.length > 0
      ? external('outsider', `a file lock that ${namesOf(tree, outside)} holds`, outside)
      : []),
    ...(isFound ? [] : external('unknown', 'a file lock whose holder was not found')),
  ]
}
