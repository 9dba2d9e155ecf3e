/** The threads of a pair as nodes of the graph: what each of them waits for, and whether it moved between the two scans. */

import type { Call, Process, SnapshotPair, Target, Thread } from '../snapshot.ts'
import { fromCall, fromState } from './call-source.ts'
import { fromSharers, namelessQueue } from './peer-source.ts'
import { handlersOf, isHousekeeping } from './runtimes.ts'
import { isGone, type TreeIndex } from './tree-index.ts'
import { external, type Node, type WakeSource } from './wait-graph.ts'

export function nodesOf(tree: TreeIndex, { before }: SnapshotPair): readonly Node[] {
  const earlier = new Map(before.processes.map(program => [program.pid, program]))
  const sorted = [...tree.processes.values()]
  return sorted.flatMap(program => {
    const same = earlier.get(program.pid)
    const known = same?.startTicks === program.startTicks ? same : undefined
    const was = new Map(known?.threads.map(thread => [thread.tid, thread]))
    const threads = [...program.threads].sort((a, b) => a.tid - b.tid)
    return threads.map(thread => nodeOf(tree, program, known, thread, was.get(thread.tid)))
  })
}

function nodeOf(
  tree: TreeIndex,
  program: Process,
  before: Process | undefined,
  thread: Thread,
  was: Thread | undefined,
): Node {
  const call = callOf(thread, was)
  const isLull = program.pid === tree.snapshot.supervisor
  const isZombie = thread.state === 'Z' || thread.state === 'X'
  return {
    program,
    thread,
    call,
    moved: !isZombie && !isLull && hasMoved(thread, was),
    isZombie,
    isHousekeeping: isHousekeeping(program, thread),
    sources: isLull
      ? [observing]
      : isZombie || isGone(program)
        ? []
        : sourcesOf(tree, program, before, thread, call),
  }
}

/** lull itself is in the tree of the shell that it is called from: that it runs is no evidence. */
const observing: WakeSource = { type: 'outsider', what: 'this lull, which looks at it', pids: [] }

/** A sleeper that is met running for a moment is judged by what it waited for before. */
const callOf = ({ call }: Thread, was: Thread | undefined): Call =>
  call.type === 'running' && was?.state === 'S' && was.call.type !== 'hidden' ? was.call : call

/** A thread that is the same in both looks, to the time slice, has slept in between. */
function hasMoved(thread: Thread, was: Thread | undefined): boolean {
  if (was === undefined) return true
  if (thread.slices !== was.slices || thread.cpu !== was.cpu) return true
  return thread.state === 'R' || thread.call.type === 'running'
}

function sourcesOf(
  tree: TreeIndex,
  program: Process,
  before: Process | undefined,
  thread: Thread,
  call: Call,
): readonly WakeSource[] {
  return (
    fromState(tree, program, thread, call) ?? [
      ...fromCall({ tree, program, before }, thread, call),
      ...fromTracer(tree, program),
      ...fromAlarm(tree, program),
      ...fromHandler(tree, program),
    ]
  )
}

/** A timer that is a signal's: whether it is set can't be seen, but where no interval timer is on the whole machine. */
function fromAlarm({ alarms }: TreeIndex, program: Process): readonly WakeSource[] {
  const isHandled = handlersOf(program).events.includes('ALRM') && alarms?.length !== 0
  return program.hasSignalTimer || isHandled ? external('alarm', 'a signal timer of its own fires') : []
}

/** What it has a handler for may be what it waits for, in any call: an event loop waits for it on a pipe of its own. */
function fromHandler(tree: TreeIndex, program: Process): readonly WakeSource[] {
  const isLess = excusedHere(tree, program)
  const names = handlersOf(program).events.filter(name => !isLess(name))
  const what = `a signal that it has a handler for (${names.map(name => `SIG${name}`).join(', ')})`
  const fds = Object.values(program.fds)
  const queue = fds.some(isQueue) ? external('signal', 'a message queue that may notify it (mq_notify)') : []
  const known = fds.filter(isKnownQueue)
  const sharers = known.flatMap(({ holders }) => fromSharers(tree, program, holders, namelessQueue))
  return [...(names.length > 0 ? external('signal', what) : []), ...queue, ...sharers]
}

const isKnownQueue = (target: Target): target is Extract<Target, { type: 'queue' }> =>
  target.type === 'queue' && target.holders.isWhole

/** Whoever opens it may send it something; and so may whoever has it, where they are not all known. */
const isQueue = (target: Target): boolean =>
  (target.type === 'other' && target.link.startsWith('mqueue:')) ||
  (target.type === 'queue' && !target.holders.isWhole)

/** Signals that tell nothing of this wait: an alarm's stand among the timers, and what follows is nobody's word. */
function excusedHere({ children, alarms }: TreeIndex, program: Process): (name: string) => boolean {
  const hasChildren = (children.get(program.pid)?.length ?? 0) > 0
  const waitsAtTerminal = program.threads.some(
    ({ call }) => call.type === 'fds' && call.fds.some(({ fd }) => program.fds[fd]?.type === 'tty'),
  )
  return name => {
    switch (name) {
      case 'ALRM':
        return alarms?.length !== 0
      // Its children stand in the graph.
      case 'CHLD':
        return hasChildren
      // Who reads a terminal draws it anew, and reads on.
      case 'WINCH':
      case 'CONT':
        return waitsAtTerminal
      default:
        return false
    }
  }
}

/** A tracer, which can hold up a thread in the kernel. */
function fromTracer(tree: TreeIndex, { tracer }: Process): readonly WakeSource[] {
  if (tracer === undefined) return []
  const what = `its debugger ${tree.nameOf(tracer)}`
  return tree.processes.has(tracer)
    ? [{ type: 'edge', via: 'exit', pid: tracer, what }]
    : external('outsider', `${what}, which may do anything with it`, [tracer])
}
