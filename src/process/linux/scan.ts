/** One scan of a tree on Linux: its processes, at depth with what each thread waits for and who holds the other ends. */

import { readLink, readText } from '../../os/proc/proc-file.ts'
import { bytesOfPages, readStat } from '../../os/proc/stat.ts'
import type { Depth } from '../process-reader.ts'
import type { Process, Snapshot, Target, Thread } from '../snapshot.ts'
import { waitedFds } from './call/io-ring.ts'
import { cgroupOf, freezers, hasOldMemoryGroups } from './cgroups.ts'
import { properName, readCommand, readIo } from './details.ts'
import { targetOf } from './fd-target.ts'
import { type HolderSearch, newSearch } from './holder-search.ts'
import { countFds, type Descriptors, type HolderKey, newIndex, readDescriptors } from './holders.ts'
import { type KernelTimers, readTimers } from './kernel-timers.ts'
import { withOwnTimeout } from './own-timeout.ts'
import { withSharers } from './shared-memory.ts'
import { readSockets, type Sockets } from './sockets.ts'
import { mostThreads, readThreads, sharesMemory, withOwnFiles } from './threads.ts'
import { type Member, mostProcesses } from './tree.ts'
import type { Family } from './unseen.ts'
import { wakersOf } from './wakers.ts'

/** How many processes have their calls and files read. A larger tree is still listed in full. */
const mostDeep = 400

type Scanning = {
  readonly root: number
  readonly supervisor: number
  /** What the supervisor was started with: links of its files. */
  readonly inherited: ReadonlySet<HolderKey>
  /** Of these interval timers, those that may be the tree's: as they were before its threads were read, and after. */
  readonly timersOf: (
    processes: readonly Process[],
    first: KernelTimers,
    last: KernelTimers,
  ) => readonly number[]
  /** Other users' processes are out of sight (hidepid): nothing is ever known whole. */
  readonly isBlinkered: boolean
  /** The supervisor adopts orphans of the tree. */
  readonly isReaper: boolean
}

type Deep = { readonly member: Member; readonly process: Process; readonly descriptors: Descriptors }

export function scan(members: readonly Member[], depth: Depth, scanning: Scanning): Snapshot {
  const at = Number(process.hrtime.bigint()) / 1e6
  const uptime = Number(readText('/proc/uptime').split(' ')[0]) * 1000
  const { root, supervisor } = scanning
  const shell = { platform: 'linux', at, uptime, root, supervisor } as const
  if (depth === 'tree') return { ...shell, processes: members.map(shallow), outsiders: [] }
  const first = readTimers()
  const machine: MachineFacts = { isFrozen: freezers(), timers: first }
  const deep = members
    .slice(0, mostDeep)
    .map((member, index) => readDeep(member, machine, index === 0 && members.length >= mostProcesses))
  const last = readTimers()
  const rest = members.slice(mostDeep).map(member => ({ ...shallow(member), hidden: tooMany }))
  const processes = [...withTargets(deep, rest.length === 0, depth, scanning), ...rest]
  return {
    ...shell,
    intervalTimers: first && last ? scanning.timersOf(processes, first, last) : 'unseen',
    ...(hasOldMemoryGroups() && { hasOldMemoryGroups: true }),
    processes,
    outsiders: outsidersOf(processes, supervisor),
  }
}

/** What is asked of the machine once a scan. */
type MachineFacts = {
  readonly isFrozen: (pid: number) => boolean
  readonly timers: KernelTimers | undefined
}

/** Without its command line, which nobody reads in a cheap scan. */
function shallow(member: Member): Process {
  const { pid, stat, tids } = member
  const io = readIo(pid)
  const fdCount = countFds(pid)
  return {
    ...statFields(member),
    ...(fdCount !== undefined && { fdCount }),
    command: stat.name,
    threads: readThreads(pid, tids, stat, false),
    ...(io && { io }),
    hidden: io || isEnded(member) ? nothing : ioHidden,
  }
}

// One object for all: a tree may hold thousands.
const nothing: readonly string[] = []
const ioHidden: readonly string[] = ['io']
const tooMany: readonly string[] = ['syscall', 'fd', 'mem']
const noFds: Process['fds'] = {}

/** The fields of a process that its stat has. */
const statFields = ({ pid, stat }: Member) => ({
  pid,
  parent: stat.parent,
  group: stat.group,
  session: stat.session,
  startTicks: stat.startTicks,
  name: stat.name,
  foreground: stat.foreground,
  fds: noFds,
  majorFaults: stat.majorFaults,
  residentBytes: bytesOfPages(stat.residentPages),
  hasSignalTimer: false,
  isFrozen: false,
})

const isEnded = ({ stat, tids }: Member): boolean => stat.state === 'Z' && tids.length <= 1

function readDeep(member: Member, machine: MachineFacts, isCut: boolean): Deep {
  const { pid, stat, tids } = member
  const ended = isEnded(member)
  const calls = readThreads(pid, tids, stat, true)
  const apart = withOwnFiles(pid, tids)
  const read: Descriptors = ended ? { links: new Map() } : readDescriptors(pid)
  const descriptors: Descriptors = apart.length > 0 ? { ...read, missing: 'threads' } : read
  const threads = calls.map(thread =>
    apart.includes(thread.tid) ? withoutFiles(thread) : withOwnTimeout(pid, thread, descriptors.links),
  )
  const io = readIo(pid)
  const command = readCommand(pid, stat.name)
  const found: Process = {
    ...statFields(member),
    name: properName(stat.name, command),
    command,
    ...(io && { io }),
    ...(descriptors.missing === undefined && { fdCount: descriptors.links.size }),
    ...wakersOf(pid, threads, descriptors.links, machine.timers),
    isFrozen: machine.isFrozen(pid),
    hidden: [
      ...(!ended && threads.some(({ call }) => call.type === 'hidden') ? ['syscall', 'mem'] : []),
      ...(threads.some(isWithoutWchan) ? ['wchan'] : []),
      ...(descriptors.missing === undefined ? [] : ['fd']),
      ...(io || ended ? [] : ['io']),
      ...(tids.length > mostThreads ? ['threads'] : []),
      ...(!ended && sharesMemory(pid, stat.parent) ? ['shared memory'] : []),
      ...(isCut ? ['children'] : []),
    ],
  }
  return { member, process: found, descriptors }
}

/** Its descriptors can't be looked up among those of its process. */
const withoutFiles = (thread: Thread): Thread =>
  ['fds', 'ring', 'lock'].includes(thread.call.type)
    ? { ...thread, call: { type: 'other', name: 'a file of its own' } }
    : thread

/** A kernel that hides it writes 0, as it does of whoever runs. */
const isWithoutWchan = ({ state, wchan, call }: Thread): boolean =>
  (state === 'S' || state === 'D') && call.type !== 'running' && (wchan === '' || wchan === '0')

function withTargets(
  deep: readonly Deep[],
  isAll: boolean,
  depth: Depth,
  scanning: Scanning,
): readonly Process[] {
  const index = newIndex()
  for (const { process, descriptors } of deep) index.add(process.pid, descriptors)
  const indexed = new Set(deep.map(({ process }) => process.pid))
  const supervisor = readDescriptors(scanning.supervisor)
  if (!indexed.has(scanning.supervisor)) index.add(scanning.supervisor, supervisor)
  indexed.add(scanning.supervisor)
  const isTreeWhole = isAll && deep.every(({ descriptors }) => descriptors.missing === undefined)
  const search = newSearch(index, indexed, isTreeWhole && !scanning.isBlinkered, isAll, () =>
    familyOf(indexed, scanning),
  )
  const sockets = socketTables()
  const ask = (key: HolderKey) => search.ask(key, undefined, true)
  const processes = deep.map(one => ({
    ...one.process,
    threads: one.process.threads.map(thread => withSharers(one.process.pid, thread, { ask })),
    fds: fdsOf(one, depth, sockets, search),
  }))
  search.finish()
  return processes
}

function fdsOf(
  { member, process, descriptors }: Deep,
  depth: Depth,
  sockets: (pid: number) => Sockets,
  search: HolderSearch,
): Process['fds'] {
  const { pid, stat } = member
  const waited = waitedFds(pid, process.threads, descriptors.links)
  const fds: Record<number, Target> = {}
  for (const [fd, link] of descriptors.links) {
    fds[fd] = targetOf(fd, link, {
      pid,
      stat,
      sockets: () => sockets(pid),
      holders: (asked, key, direction, isNameless) =>
        search.ask(key, direction, waited.has(asked), isNameless),
      isWaited: asked => waited.has(asked),
      withCounts: depth === 'suspects',
      noteInFlight: search.noteInFlight,
    })
  }
  return fds
}

/** The tables of each network namespace once. */
function socketTables(): (pid: number) => Sockets {
  const tables = new Map<string, Sockets>()
  return pid => {
    const namespace = readLink(`/proc/${pid}/ns/net`)
    const key = 'link' in namespace ? namespace.link : `of ${pid}`
    const table = tables.get(key) ?? readSockets(pid)
    tables.set(key, table)
    return table
  }
}

function familyOf(members: ReadonlySet<number>, scanning: Scanning): Family {
  const { root, supervisor, inherited, isReaper } = scanning
  const ancestors: Family['ancestors'][number][] = []
  for (let pid = readStat(root)?.parent ?? 0; pid > 0; ) {
    const stat = readStat(pid)
    if (!stat) break
    const { links, missing } = readDescriptors(pid)
    ancestors.push({ pid, stat, ...(missing === undefined && { holds: new Set(links.values()) }) })
    pid = stat.parent
  }
  const cgroup = cgroupOf(root)
  return { members, ancestors, supervisor, inherited, isReaper, ...(cgroup !== undefined && { cgroup }) }
}

/** Names of those that were named as holders, owners or tracers. */
function outsidersOf(processes: readonly Process[], supervisor: number): Snapshot['outsiders'] {
  const own = new Set(processes.map(({ pid }) => pid))
  const named = new Set<number>([supervisor])
  for (const process of processes) {
    if (process.tracer !== undefined) named.add(process.tracer)
    for (const { call } of process.threads)
      if (call.type === 'lock') for (const pid of call.owners) named.add(pid)
      else if (call.type === 'futex') for (const pid of call.sharers?.pids ?? []) named.add(pid)
    for (const target of Object.values(process.fds)) for (const pid of namedBy(target)) named.add(pid)
  }
  return [...named]
    .filter(pid => !own.has(pid))
    .flatMap(pid => {
      const stat = readStat(pid)
      return stat ? [{ pid, name: stat.name, state: stat.state }] : []
    })
}

function namedBy(target: Target): readonly number[] {
  switch (target.type) {
    case 'pipe':
      return [...target.readers.pids, ...target.writers.pids]
    case 'unix':
    case 'tcp':
      return target.peer?.pids ?? []
    case 'tty':
      return target.master?.pids ?? []
    case 'eventfd':
    case 'queue':
    case 'timerfd':
    case 'epoll':
      return target.holders?.pids ?? []
    case 'pidfd':
      return target.pid > 0 ? [target.pid] : []
    default:
      return []
  }
}
