/** The process table of the machine that lull runs on, and the one of Linux. */
import { existsSync, readdirSync, readlinkSync, statfsSync, statSync } from 'node:fs'
import os from 'node:os'
import { attempt } from '../../os/attempt.ts'
import { readArguments, readEnvironment } from '../../os/proc/command-line.ts'
import { readText } from '../../os/proc/proc-file.ts'
import { hasEnded, isUnexecuted, readStat, type Stat, tickMs } from '../../os/proc/stat.ts'
import type { ProcessTable } from './process-table.ts'
import { psTable } from './ps-table.ts'

const file = '/proc/loadavg'
/** PROC_SUPER_MAGIC of linux/magic.h: what a container lays over it (lxcfs) is written only now and then. */
const kernelOwn = 0x9fa0

let isKernelOwn: boolean | undefined

/**
 * The number of tasks and the id of the newest (proc_loadavg(5)): it changes when a process or thread starts, or is
 * reaped. Undefined where the kernel does not report it: an emulated one (gVisor) has zeros there.
 */
export function lastProcess(): string | undefined {
  isKernelOwn ??= attempt(() => statfsSync(file).type) === kernelOwn
  if (!isKernelOwn) return undefined
  const [, tasks, newest] = /^\S+ \S+ \S+ \d+\/([1-9]\d*) ([1-9]\d*)$/.exec(readText(file).trim()) ?? []
  return tasks === undefined ? undefined : `${tasks} ${newest}`
}

let own: ProcessTable | undefined

export function systemTable(): ProcessTable {
  const { platform } = process
  own ??= platform === 'linux' && existsSync('/proc/self/stat') ? procTable() : psTable(platform)
  return own
}

function procTable(): ProcessTable {
  return {
    unsupportedReason: () => undefined,
    lastProcess,
    pids: () =>
      readdirSync('/proc')
        .map(Number)
        .filter(pid => Number.isInteger(pid)),
    row(pid) {
      const stat = readStat(pid)
      if (!stat) return undefined
      const { parent, group, startTicks: start } = stat
      return {
        pid,
        parent,
        group,
        start,
        hasEnded: hasEnded(stat),
        isCopy: isUnexecuted(stat),
        ...imageOf(stat),
      }
    },
    argv: pid => readArguments(pid),
    environment: readEnvironment,
    users: usersOf,
    cwd: pid => attempt(() => readlinkSync(`/proc/${pid}/cwd`)),
    executable: pid => `/proc/${pid}/exe`,
    writtenFiles(pid, isWanted) {
      const fds = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []
      return fds.flatMap(fd => {
        const file = attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`))
        return file !== undefined && isWanted(file) && isWritten(pid, fd) ? [file] : []
      })
    },
    whyUnread,
    // Asked anew each time: the wall clock may have been set since, and files written since go by it.
    startedAt: start => Date.now() - os.uptime() * 1000 + Number(start) * tickMs,
  }
}

/** The flags of open(2) in octal (proc_pid_fdinfo(5)): the last two bits are how it is opened, 0 for reading alone. */
const isWritten = (pid: number, fd: string): boolean =>
  /^flags:\s*[0-7]*[1-35-7]$/m.test(readText(`/proc/${pid}/fdinfo/${fd}`))

/** The kernel lays out code and stack anew at each exec. */
const imageOf = ({ codeStart, stackStart, parent, group, name }: Stat): { readonly image?: string } =>
  codeStart === '0' || stackStart === '0'
    ? {}
    : { image: [codeStart, stackStart, parent, group, name].join(' ') }

/**
 * The real user, the effective, the saved one and that of files: each of them could have made its environment. The owner of
 * /proc/PID would not do: a program can make that root.
 */
function usersOf(pid: number): number[] {
  const [, line] = /^Uid:\s*(.+)$/m.exec(readText(`/proc/${pid}/status`)) ?? []
  return line?.split(/\s+/).map(Number) ?? []
}

/** Its names for files would mean other files here, or may not be read. */
function whyUnread(pid: number): string | undefined {
  const root = attempt(() => statSync(`/proc/${pid}/root/`))
  if (root === undefined) return 'it may not be looked at (it runs with other rights): its files are not read'
  const here = statSync('/')
  const isHere = root.dev === here.dev && root.ino === here.ino
  return isHere ? undefined : 'it runs in a container: its files are not read'
}
