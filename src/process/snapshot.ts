/**
 * One scan of a process tree as plain data: all that the closure needs, nothing that needs a live /proc. A snapshot
 * survives JSON, so that each scenario's snapshot is a unit test, and a bug report.
 */

/** Milliseconds; `undefined`: no limit; `'unknown'`: there is one, or may be, that could not be read. */
export type Timeout = number | 'unknown' | undefined

/** What a thread wants of a file descriptor that it waits on. */
export type Want = 'read' | 'write' | 'connect'

export type FdWait = { readonly fd: number; readonly want: Want }

/** What a thread is doing in the kernel. Numbers of system calls are read away: the words are the same on each machine. */
export type Call =
  /** On a processor, or about to be. */
  | { readonly type: 'running' }
  /** May not be read by this user (`why`: the error's code), or is gone. */
  | { readonly type: 'hidden'; readonly why: string }
  /** In the kernel, outside of a system call: a page fault, a freezer, a signal stop. */
  | { readonly type: 'none' }
  | {
      readonly type: 'fds'
      /** `read`, `poll`, `epoll_wait`, … */
      readonly name: string
      readonly fds: readonly FdWait[]
      /** The epoll that watches them. */
      readonly set?: number
      readonly timeout: Timeout
      /** The file may have a limit of its own, which could not be read. */
      readonly isLimitUnseen?: true
    }
  | { readonly type: 'sleep'; readonly name: string; readonly timeout: Timeout }
  | {
      readonly type: 'futex'
      /** Hexadecimal. */
      readonly address: string
      readonly isPrivate: boolean
      /** The thread that holds the mutex, where the memory beside the word shows it (glibc's pthread_mutex). */
      readonly owner?: number
      /** Who has the memory of the word, where it is shared and nobody else can come to it. */
      readonly sharers?: Holders
      /** That memory is a file's: somebody may have been given a descriptor of it. */
      readonly isOfFile?: true
      /** The thread that it joins (pthread_join). */
      readonly joins?: number
      readonly timeout: Timeout
    }
  /** wait4, waitid, vfork: `pid` -1 for any child. */
  | { readonly type: 'child'; readonly name: string; readonly pid: number; readonly timeout: Timeout }
  | { readonly type: 'signal'; readonly name: string; readonly timeout: Timeout }
  /** A file lock. `owners`: from /proc/locks; empty where it does not list them. */
  | { readonly type: 'lock'; readonly name: string; readonly fd: number; readonly owners: readonly number[] }
  | { readonly type: 'disk'; readonly name: string; readonly fd?: number }
  | { readonly type: 'ring'; readonly fd: number; readonly timeout: Timeout }
  /** A named pipe that it opens, and `want`s to read or write: it waits for somebody at the other end. */
  | { readonly type: 'opens'; readonly name: string; readonly path: string; readonly want: Want }
  /** A System V or POSIX queue or semaphore, shared with anyone; `fd`: of a POSIX queue. */
  | { readonly type: 'shared'; readonly name: string; readonly fd?: number; readonly timeout: Timeout }
  /** A kernel worker inside the process (io_uring's `iou-wrk`): it moves only for its process. */
  | { readonly type: 'worker' }
  /** Known by no table: it may be woken by anything. */
  | { readonly type: 'other'; readonly name: string }

export type Thread = {
  readonly tid: number
  readonly name: string
  /** As in /proc: R S D T t Z X I. */
  readonly state: string
  /** Time on a processor, ns; time waited for one, ns; time slices. */
  readonly cpu: number
  readonly delay: number
  readonly slices: number
  readonly wchan: string
  readonly call: Call
  /** Its runtime keeps it for itself, by what it does: Go's monitor. */
  readonly isRuntimes?: true
}

/** Who holds an end of a pipe or a socket. `isWhole` false: holders may exist that could not be looked at. */
export type Holders = { readonly pids: readonly number[]; readonly isWhole: boolean }

export type TcpState =
  | 'established'
  | 'syn-sent'
  | 'syn-received'
  | 'fin-wait-1'
  | 'fin-wait-2'
  | 'time-wait'
  | 'close'
  | 'close-wait'
  | 'last-ack'
  | 'listen'
  | 'closing'

export type Target =
  /** A pipe, or a named one. Readers and writers may be the process itself. */
  | { readonly type: 'pipe'; readonly inode: string; readonly readers: Holders; readonly writers: Holders }
  | {
      readonly type: 'tty'
      readonly path: string
      /** Foreground process group; the terminal's own settings where they could be read. */
      readonly foreground?: number
      readonly echo?: boolean
      readonly canonical?: boolean
      /** Who holds the other side of a pseudo terminal (only lull and the tree are looked through). */
      readonly master?: Holders
    }
  | {
      readonly type: 'unix'
      readonly inode: string
      readonly isListening: boolean
      /** Who holds the other end; none found where `peer` is absent. */
      readonly peer?: Holders
    }
  | {
      readonly type: 'tcp'
      readonly inode: string
      readonly state: TcpState
      readonly local: string
      readonly remote: string
      /** The kernel's own timer on it. */
      readonly timer: 'none' | 'retransmit' | 'keepalive' | 'time-wait' | 'zero-window'
      /** Unanswered attempts: retransmissions (`retransmit`), probes (`keepalive`, `zero-window`). */
      readonly attempts: number
      readonly sendQueue: number
      readonly receiveQueue: number
      /** Suspects only: bytes so far, and ms since the last of them. */
      readonly sent?: number
      readonly received?: number
      readonly sinceSent?: number
      readonly sinceReceived?: number
      /** Who holds the other end, where it is on this machine. */
      readonly peer?: Holders
    }
  | { readonly type: 'udp'; readonly inode: string }
  /** Netlink, packet and other sockets. */
  | { readonly type: 'socket'; readonly inode: string }
  | { readonly type: 'file'; readonly path: string }
  /** /dev/null and its kin: always ready. */
  | { readonly type: 'device'; readonly path: string }
  | { readonly type: 'eventfd'; readonly count: number; readonly holders: Holders }
  /** A POSIX message queue without a name: who has it open. */
  | { readonly type: 'queue'; readonly holders: Holders }
  /** Which signals it reports, where that could be read. */
  | { readonly type: 'signalfd'; readonly signals?: readonly string[] }
  /** `remaining` ms until it fires; none where it is not armed: then a holder may set it. */
  | { readonly type: 'timerfd'; readonly remaining?: number; readonly holders?: Holders }
  /** Holders may add what they have open. */
  | { readonly type: 'epoll'; readonly watched: readonly FdWait[]; readonly holders?: Holders }
  | { readonly type: 'inotify' }
  | { readonly type: 'pidfd'; readonly pid: number }
  /** The requests that are pending, as far as the ring's memory shows: their fds are inferred. */
  | { readonly type: 'uring'; readonly watched?: readonly FdWait[] }
  | { readonly type: 'other'; readonly link: string }
  | { readonly type: 'hidden'; readonly why: string }

export type Process = {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** Field 22 of /proc/PID/stat: distinguishes a reused pid. */
  readonly startTicks: string
  readonly name: string
  /** The last part of the path of the file that it executes, where that may be read. */
  readonly program?: string
  /** Cut to 200 characters. */
  readonly command: string
  readonly uid?: number
  /** The foreground group of its terminal, -1 for none. */
  readonly foreground: number
  readonly threads: readonly Thread[]
  /** By number. All of them where `call`s were read, none in a cheap scan. */
  readonly fds: Readonly<Record<number, Target>>
  /** How many it has open, read or not; absent where it can't be read. */
  readonly fdCount?: number
  readonly majorFaults: number
  /** /proc/PID/io, bytes; absent where it may not be read. `readChars` and `writeChars` omit sockets. */
  readonly io?: {
    readonly readChars: number
    readonly writeChars: number
    readonly readBytes: number
    readonly writeBytes: number
  }
  readonly residentBytes: number
  /** A POSIX timer of it may be armed. */
  readonly hasSignalTimer: boolean
  /** Signals that it has handlers for, `USR1`, `RT34`: of Go those that the program asked for. Absent where it has none. */
  readonly catches?: readonly string[]
  /** It ignores ALRM: no interval timer does anything to it. */
  readonly ignoresAlarm?: true
  /** The kernel may count up eventfds that it holds, by this: `aio`, a control group's file. */
  readonly kernelCounts?: string
  /** `frozen 1` in cgroup.events. */
  readonly isFrozen: boolean
  /** Traced by a debugger: the pid of it. */
  readonly tracer?: number
  /** What could not be read of it, by name: `syscall`, `fd`, `mem`, `io`. */
  readonly hidden: readonly string[]
}

export type Snapshot = {
  readonly platform: 'linux' | 'darwin'
  /** Monotonic, ms, when the scan began; uptime, ms, which counts a suspend as well. */
  readonly at: number
  readonly uptime: number
  readonly root: number
  /** The lull that looks: what waits for it, waits for a live program. */
  readonly supervisor: number
  /**
   * Interval timers (alarm, setitimer) that are armed on this machine, but for those that are known to be of other programs:
   * the monotonic ms at which each fires, as `at`. The kernel does not report their programs.
   * `unseen` where the kernel does not list them to this user; absent in recordings from before it was asked.
   */
  readonly intervalTimers?: 'unseen' | readonly number[]
  /** Control groups of version 1 limit memory here: the kernel may count up any eventfd for them. */
  readonly hasOldMemoryGroups?: true
  /** The root first, then its descendants, those that were adopted too. */
  readonly processes: readonly Process[]
  /** Pids that are named as holders or owners and are not of the tree: name, and whether they live. */
  readonly outsiders: readonly { readonly pid: number; readonly name: string; readonly state: string }[]
}

/** Two scans, far enough apart that a live tree would have moved: what slept in both, without a time slice between, slept. */
export type SnapshotPair = { readonly before: Snapshot; readonly after: Snapshot }
