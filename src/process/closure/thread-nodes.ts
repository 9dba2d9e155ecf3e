/** The threads of a pair as nodes of the graph: what each of them waits for, and whether it moved between the two scans. */

import type { Call, Process, SnapshotPair, Thread } from '../snapshot.ts'
import { fromCall, fromState } from './call-source.ts'
import { isHousekeeping, ownSignal } from './housekeeping.ts'
import { isGone, type TreeIndex } from './tree-index.ts'
import type { Node, WakeSource } from './wait-graph.ts'

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

/** Whoever asks about a shell that he calls from, finds lull in its tree: that it runs says nothing. */
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
      ...fromAlarm(program),
      ...fromHandler(program),
    ]
  )
}

const fromAlarm = ({ hasSignalTimer }: Process): readonly WakeSource[] =>
  hasSignalTimer ? [{ type: 'alarm', what: 'a signal timer of its own fires', pids: [] }] : []

/** What it has a handler for may be what it waits for, in any call: an event loop waits for it on a pipe of its own. */
function fromHandler(program: Process): readonly WakeSource[] {
  const own = ownSignal(program)
  const names = (program.catches ?? []).filter(name => name !== own)
  const what = `a signal that it has a handler for (${names.map(name => `SIG${name}`).join(', ')})`
  return names.length > 0 ? [{ type: 'signal', what, pids: [] }] : []
}
