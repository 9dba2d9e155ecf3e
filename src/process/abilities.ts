/** What lull can read about processes on this machine, and what is lost where it can't: for `lull doctor`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { libc } from '../os/native/libc.ts'
import { readText } from '../os/proc/proc-file.ts'
import { machine, readCall } from './linux/call/call.ts'
import { readTimers } from './linux/kernel-timers.ts'
import { whyHidden, whyNotOthers, whyNotUsers } from './linux/linux-reader.ts'
import { answersForSockets } from './linux/netlink.ts'
import { systemReader } from './system-reader.ts'

export type Ability = {
  readonly name: string
  readonly works: boolean
  /** Why it does not. */
  readonly why?: string
  /** What lull then does not know. */
  readonly lost: string
}

type Check = { readonly name: string; readonly lost: string; readonly why: () => string | undefined }

const ability = ({ name, lost, why }: Check): Ability => {
  const reason = why()
  return { name, works: reason === undefined, ...(reason !== undefined && { why: reason }), lost }
}

const missing = (file: string) =>
  existsSync(file) ? undefined : `${file} is missing: the kernel was built without it`

const linuxChecks = (child: number): readonly Check[] => [
  {
    name: 'system calls of its own children',
    lost: 'what a thread waits for: nothing can be proven',
    why() {
      const call = readCall(child)
      return call.type === 'hidden' ? `/proc/PID/syscall: ${call.why}` : undefined
    },
  },
  {
    name: 'tables of system calls for this processor',
    lost: 'what the calls mean: nothing can be proven',
    why: () => (machine() ? undefined : `there is none for ${process.arch}, only for x64 and arm64`),
  },
  {
    name: 'memory of its own children',
    lost: 'what poll and select wait for, and for how long; who holds a mutex',
    why() {
      const call = readCall(child)
      const isRead = call.type === 'sleep' && typeof call.timeout === 'number'
      return isRead ? undefined : `the time of a sleeping child could not be read from /proc/${child}/mem`
    },
  },
  {
    name: 'programs that lull did not start',
    lost: '`lull explain pid:N` infers, and proves nothing',
    why: () => whyNotOthers(readText('/proc/sys/kernel/yama/ptrace_scope')),
  },
  {
    name: "other users' processes",
    lost: 'whether one of them holds the other end of a pipe',
    why: () => whyHidden(readText('/proc/self/mountinfo')) ?? whyNotUsers(readText('/proc/self/status')),
  },
  {
    name: 'time slices of threads',
    lost: 'whether anything ran between two looks, and whether a processor was lacking',
    why: () => missing('/proc/self/schedstat'),
  },
  {
    name: 'lists of children',
    lost: 'descendants of the command',
    why: () => missing(`/proc/self/task/${process.pid}/children`),
  },
  { name: 'file locks', lost: 'who holds a lock that is waited for', why: () => missing('/proc/locks') },
  {
    name: 'interval timers of this machine',
    lost: 'whether an alarm that was set before will end a program: likely stuck at most, and `--on-stuck` needs `--act-at likely`',
    why: () =>
      readTimers() ? undefined : '/proc/timer_list: root alone may read it, and in most containers nobody',
  },
  {
    name: 'functions that threads sleep in',
    lost: 'which other program a thread waits for in its call (seccomp, FUSE, userfaultfd): nothing can be proven',
    why: () => (/^[a-z_]/.test(readText(`/proc/${child}/wchan`)) ? undefined : '/proc/PID/wchan is empty'),
  },
  { name: 'POSIX timers', lost: 'timers that may wake a program', why: () => missing('/proc/self/timers') },
  {
    name: 'calls of the C library',
    lost: 'orphans of the command, the other ends of unix sockets, whether a terminal echoes',
    why: () => (libc() ? undefined : 'the module koffi could not be loaded'),
  },
  {
    name: 'details of sockets',
    lost: 'the other ends of unix sockets, and when a connection last received anything',
    why: () => (answersForSockets() ? undefined : 'the kernel does not answer sock_diag requests'),
  },
  {
    name: 'groups of cgroup v2',
    lost: 'whether a program is frozen',
    why: () => missing('/sys/fs/cgroup/cgroup.controllers'),
  },
]

/** Starts a `sleep` for a moment: only a try shows what may be read of a child. */
export async function abilities(): Promise<readonly Ability[]> {
  const { unsupportedReason: why } = systemReader()
  if (why !== undefined) {
    const lost = 'what threads wait for: stuck is at best inferred from output, exits and signals'
    return [{ name: 'processes', works: false, why, lost }]
  }
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  try {
    await once(child, 'spawn')
    await asleep(child.pid ?? 0)
    return linuxChecks(child.pid ?? 0).map(ability)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Waits until it sleeps, at most a second: before its first call it is still another program. */
async function asleep(pid: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (['sleep', 'hidden'].includes(readCall(pid).type)) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
