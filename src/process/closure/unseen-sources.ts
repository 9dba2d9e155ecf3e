/**
 * What may still wake a tree of which all that can be seen is closed, and can't be seen: docs/process.md#assumptions. Each
 * makes it likely stuck, and no more.
 */
import type { Process, Target } from '../snapshot.ts'
import type { ClosureView } from './closure-view.ts'
import type { ClosureFinding, Unseen } from './finding.ts'
import { handlersOf, runtimeOf } from './runtimes.ts'
import { kindOf } from './signals.ts'
import { isGone, type TreeIndex } from './tree-index.ts'

const word = (what: string): Unseen => ({ what, isWord: true })

export function unseenOf(view: ClosureView, { cause }: ClosureFinding): readonly Unseen[] {
  const { tree } = view
  const living = livingOf(tree)
  const own = new Set([...view.reached.keys()].map(({ program }) => program))
  const reached = living.filter(program => own.has(program))
  const isClosed = cause === 'closed_wait'
  return [
    ...wrappedBy(view),
    ...alarmOf(tree, living),
    ...reached.flatMap(one => sharedOf(tree, one)),
    ...reached.flatMap(one => limitsOf(tree, one)),
    ...reached.flatMap(one => endsOf(tree, one, isClosed || waitsForOthers(one))),
    ...reached.flatMap(one => childrenOf(tree, one)),
    ...reached.flatMap(one => handedOf(tree, one)),
    ...(isClosed ? reached.flatMap(one => countsOf(tree, one)) : []),
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

/** setitimer(2): preserved across exec, and shown in no file of the process. Without a handler it ends the program. */
function alarmOf({ alarms = [] }: TreeIndex, living: readonly Process[]): readonly Unseen[] {
  if (alarms.length === 0 || !living.some(minds)) return []
  const what =
    alarms === 'unseen'
      ? 'whether a timer that was set before (alarm, setitimer) will end it: the kernel lists them to root alone'
      : 'which program set an interval timer on this machine (alarm, setitimer)'
  return [{ what }]
}

/**
 * Where they are there to put a terminal back, or to clean up (a shell's in `read -s`, too), none of them is waited for; of
 * those that a runtime has from the start nobody knows.
 */
function sharedOf({ nameOf }: TreeIndex, program: Process): readonly Unseen[] {
  const { shared } = handlersOf(program)
  if (shared.length === 0) return []
  const names = shared.map(name => `SIG${name}`)
  const more = names.length > 3 ? ', …' : ''
  const what = `whether ${nameOf(program.pid)} has handlers of its own for ${names.slice(0, 3).join(', ')}${more}`
  const isRuntimes = shared.some(name => runtimeOf(program)?.shared?.includes(name))
  return [isRuntimes ? word(what) : { what }]
}

/**
 * A program that waits for nothing else may wait for the word to end; one that waits for another may end that by it. One that reads
 * signals from a file waits for them whatever it does.
 */
function endsOf({ nameOf }: TreeIndex, program: Process, mayAwaitEnd: boolean): readonly Unseen[] {
  const handled = mayAwaitEnd ? handlersOf(program).ends : []
  const [first] = [...handled, ...Object.values(program.fds).flatMap(endsInFile)]
  return first === undefined
    ? []
    : [word(`whether ${nameOf(program.pid)} waits for the SIG${first} that it handles`)]
}

const endsInFile = (target: Target): readonly string[] =>
  target.type === 'signalfd' ? (target.signals ?? []).filter(name => kindOf(name) === 'end') : []

/** socket(7), SO_RCVTIMEO and SO_SNDTIMEO: in no file of the process, and a kernel before 5.6 lets nobody ask the socket. */
function limitsOf({ nameOf }: TreeIndex, { pid, threads }: Process): readonly Unseen[] {
  return threads.some(({ call }) => call.type === 'fds' && call.isLimitUnseen)
    ? [{ what: `whether a limit of its socket (SO_RCVTIMEO, SO_SNDTIMEO) ends the wait of ${nameOf(pid)}` }]
    : []
}

const waitsForOthers = ({ threads }: Process): boolean =>
  threads.some(({ call }) => call.type === 'child' || call.type === 'signal')

/** Its children are in the graph; the signal may also come from elsewhere. */
function childrenOf({ nameOf, children }: TreeIndex, program: Process): readonly Unseen[] {
  const isHandled = handlersOf(program).events.includes('CHLD')
  return isHandled && children.has(program.pid)
    ? [word(`whether ${nameOf(program.pid)} waits for a SIGCHLD that comes of no child`)]
    : []
}

/** A descriptor that was sent through a socket and not received yet is in no list (unix(7), SCM_RIGHTS). */
function handedOf({ nameOf }: TreeIndex, { pid, threads }: Process): readonly Unseen[] {
  const isHandable = threads.some(({ call }) => call.type === 'futex' && call.isOfFile)
  return isHandable ? [word(`whether somebody was handed the memory that ${nameOf(pid)} waits in`)] : []
}

/** cgroup.event_control of version 1 registers an eventfd, and keeps no mark of it in any process. */
function countsOf({ nameOf, snapshot }: TreeIndex, program: Process): readonly Unseen[] {
  const isCounted = Object.values(program.fds).some(({ type }) => type === 'eventfd')
  return snapshot.hasOldMemoryGroups && isCounted
    ? [word(`whether the kernel counts up an eventfd of ${nameOf(program.pid)} (cgroup.event_control)`)]
    : []
}

/** Somebody may cause a wrapper to end what it wraps. */
function wrappedBy({ tree, wrappers }: ClosureView): readonly Unseen[] {
  const [first] = wrappers
  return first ? [{ what: `whether somebody causes ${tree.nameOf(first.program.pid)} to end it` }] : []
}
