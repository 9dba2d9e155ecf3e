/** Process trees made by hand: only what a test is about has to be said. */
import type {
  Call,
  Holders,
  Process,
  Snapshot,
  SnapshotPair,
  Target,
  Thread,
} from '../../src/process/snapshot.ts'

export const supervisor = 1000
export const rootPid = 1

export const still: Call = { type: 'futex', address: '0x1', isPrivate: true, timeout: undefined }

export const thread = (tid: number, call: Call = still, more: Partial<Thread> = {}): Thread => ({
  tid,
  name: 'main',
  state: 'S',
  cpu: 1_000_000,
  delay: 0,
  slices: 5,
  wchan: '',
  call,
  ...more,
})

type Made = Partial<Process> & { readonly call?: Call }

/** A process of one thread that is in `call`, unless told otherwise. */
export const tree = (pid: number, { call, ...more }: Made = {}): Process => ({
  pid,
  parent: pid === rootPid ? supervisor : rootPid,
  group: rootPid,
  session: rootPid,
  startTicks: String(pid),
  name: `p${pid}`,
  command: `p${pid}`,
  foreground: -1,
  threads: [thread(pid, call)],
  fds: {},
  majorFaults: 0,
  residentBytes: 0,
  hasSignalTimer: false,
  isFrozen: false,
  hidden: [],
  ...more,
})

export const held = (...pids: number[]): Holders => ({ pids, isWhole: true })

export const pipe = (writers: Holders, readers: Holders = held(rootPid), inode = '7'): Target => ({
  type: 'pipe',
  inode,
  readers,
  writers,
})

export const read = (...fds: number[]): Call => ({
  type: 'fds',
  name: fds.length === 1 ? 'read' : 'poll',
  fds: fds.map(fd => ({ fd, want: 'read' })),
  timeout: undefined,
})

export const write = (fd: number): Call => ({
  type: 'fds',
  name: 'write',
  fds: [{ fd, want: 'write' }],
  timeout: undefined,
})

export const anyChild: Call = { type: 'child', name: 'wait4', pid: -1, timeout: undefined }

export const asleep = (timeout: number): Call => ({ type: 'sleep', name: 'clock_nanosleep', timeout })

export const snapshot = (processes: readonly Process[], more: Partial<Snapshot> = {}): Snapshot => ({
  platform: 'linux',
  at: 10_000,
  uptime: 100_000,
  root: rootPid,
  supervisor,
  processes,
  outsiders: [{ pid: supervisor, name: 'lull', state: 'S' }],
  ...more,
})

/** Two looks, a second apart, between which nothing ran. */
export const pairOf = (processes: readonly Process[], more: Partial<Snapshot> = {}): SnapshotPair => ({
  before: snapshot(processes, { ...more, at: 9000 }),
  after: snapshot(processes, more),
})
