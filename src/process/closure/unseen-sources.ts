/**
 * What may still wake a tree of which all that can be seen is closed, and can't be seen: docs/process.md#assumptions. Each
 * makes it likely stuck, and no more.
 */
import type { Process } from '../snapshot.ts'
import type { ClosureView } from './closure-view.ts'
import type { ClosureFinding } from './finding.ts'
import { handlersOf } from './runtimes.ts'
import { isGone, type TreeIndex } from './tree-index.ts'

export function unseenOf(view: ClosureView, { cause }: ClosureFinding): readonly string[] {
  const { tree } = view
  const living = livingOf(tree)
  const own = new Set([...view.reached.keys()].map(({ program }) => program))
  const reached = living.filter(program => own.has(program))
  const ofWait =
    cause === 'closed_wait' ? reached.flatMap(one => [...endsOf(tree, one), ...countsOf(tree, one)]) : []
  return [
    ...wrappedBy(view),
    ...alarmOf(tree, living),
    ...reached.flatMap(one => sharedOf(tree, one)),
    ...ofWait,
  ].slice(0, 3)
}

/** A timer of this range, ms, is waited for: shorter ones tick, and a longer one that may be any program's excuses no hour. */
const awaited = { from: 2000, to: 600_000 }

/** ms until the first interval timer fires that may be the tree's, and is near enough to be waited for. */
export function nextAlarm({ tree }: ClosureView): number | undefined {
  const { alarms = [] } = tree
  if (alarms === 'unseen' || !livingOf(tree).some(minds)) return undefined
  const near = alarms.filter(ms => ms > awaited.from && ms <= awaited.to)
  return near.length > 0 ? Math.min(...near) : undefined
}

const minds = ({ ignoresAlarm }: Process): boolean => ignoresAlarm !== true

const livingOf = ({ processes, snapshot }: TreeIndex): readonly Process[] =>
  [...processes.values()].filter(program => !isGone(program) && program.pid !== snapshot.supervisor)

/** setitimer(2): preserved across exec, and no file of a process tells of it. Without a handler it ends the program. */
function alarmOf({ alarms = [] }: TreeIndex, living: readonly Process[]): readonly string[] {
  if (alarms.length === 0 || !living.some(minds)) return []
  return [
    alarms === 'unseen'
      ? 'whether a timer that was set before (alarm, setitimer) will end it: the kernel lists them to root alone'
      : 'whose an interval timer is that is set on this machine (alarm, setitimer)',
  ]
}

function sharedOf({ nameOf }: TreeIndex, program: Process): readonly string[] {
  const { shared } = handlersOf(program)
  const names = shared.map(name => `SIG${name}`)
  const more = names.length > 3 ? ', …' : ''
  return shared.length > 0
    ? [`whether ${nameOf(program.pid)} has handlers of its own for ${names.slice(0, 3).join(', ')}${more}`]
    : []
}

/** A program that waits for nothing else may wait for the word to end. */
function endsOf({ nameOf }: TreeIndex, program: Process): readonly string[] {
  const [first] = handlersOf(program).ends
  return first === undefined
    ? []
    : [`whether ${nameOf(program.pid)} waits for the SIG${first} that it handles`]
}

/** cgroup.event_control of version 1 registers an eventfd, and keeps no mark of it in any process. */
function countsOf({ nameOf, snapshot }: TreeIndex, program: Process): readonly string[] {
  const isCounted = Object.values(program.fds).some(({ type }) => type === 'eventfd')
  return snapshot.hasOldMemoryGroups && isCounted
    ? [`whether the kernel counts up an eventfd of ${nameOf(program.pid)} (cgroup.event_control)`]
    : []
}

/** A wrapper that is told to may end what it wraps. */
function wrappedBy({ tree, wrappers }: ClosureView): readonly string[] {
  const [first] = wrappers
  return first ? [`whether somebody tells ${tree.nameOf(first.program.pid)} to end it`] : []
}
