/** A process is identified by pid and start time, because a pid is reused: whether it still runs, and a short id for it. */
/** Whether a process still runs, identified by pid and start time: a pid alone may belong to another process by now. */
import { hasCode } from '../error-code.ts'
import { readText } from './proc-file.ts'
import { hasEnded, readStat } from './stat.ts'

let boot: string | undefined

/** Another one after each start of the machine; empty where the system has none. */
export function bootId(): string {
  boot ??= readText('/proc/sys/kernel/random/boot_id').trim()
  return boot
}

/** Eight letters and digits made of the boot, the pid and the process' start. They begin with a letter. */
export function identify(pid: number, start: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  const digest = createHash('sha256').update(`${bootId()}:${pid}:${start}`).digest()
  const letters = digest.readBigUInt64BE().toString(36).padStart(8, '0').slice(-7)
  return `${String.fromCharCode(97 + ((digest[8] ?? 0) % 26))}${letters}`
}

export type ProcessMark = {
  readonly pid: number
  /** `startTicks` of its stat; none where the system does not provide it. */
  readonly start?: string
}

/** A process as it can be recognised later. */
export function markOf(pid: number): ProcessMark {
  const start = readStat(pid)?.startTicks
  return start === undefined ? { pid } : { pid, start }
}

/** Undefined where that is not known: something of this pid runs, and its start is not known or out of sight. */
export function isAlive({ pid, start }: ProcessMark): boolean | undefined {
  const stat = readStat(pid)
  if (!stat) return signalled(pid) === 'gone' ? false : undefined
  if (hasEnded(stat)) return false
  return start === undefined ? undefined : stat.startTicks === start
}

/** Sends a signal that does nothing. Another user's process refuses it, but exists. */
export function signalled(pid: number): 'taken' | 'refused' | 'gone' {
  try {
    process.kill(pid, 0)
    return 'taken'
  } catch (error) {
    return hasCode(error, 'EPERM') ? 'refused' : 'gone'
  }
}
