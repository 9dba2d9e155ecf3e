/** Whether processes have begun or ended since: a question that costs one small file, and no list of all processes. */
import { statfsSync } from 'node:fs'
import { attempt } from '../attempt.ts'
import { readText } from './proc-file.ts'

const file = '/proc/loadavg'
/** PROC_SUPER_MAGIC of linux/magic.h: what a container lays over it (lxcfs) is written only now and then. */
const kernelOwn = 0x9fa0

let isKernelOwn: boolean | undefined

/**
 * How many tasks there are and which number the newest got (proc_loadavg(5)): another word whenever a process or a thread has begun, or
 * one that has ended was reaped. Undefined where that is not told: a kernel that only plays one (gVisor) has zeros there.
 */
export function lastProcess(): string | undefined {
  isKernelOwn ??= attempt(() => statfsSync(file).type) === kernelOwn
  if (!isKernelOwn) return undefined
  const [, tasks, newest] = /^\S+ \S+ \S+ \d+\/([1-9]\d*) ([1-9]\d*)$/.exec(readText(file).trim()) ?? []
  return tasks === undefined ? undefined : `${tasks} ${newest}`
}
