/** What a process tree does or waits for, now, from two scans shortly after each other. Nothing is stopped or traced. */
import { setTimeout as sleep } from 'node:timers/promises'
import { LullError } from '../core/lull-error.ts'
import { isKernel, readStat } from '../os/proc/stat.ts'
import { diagnose } from './closure/diagnose.ts'
import type { Diagnosis } from './diagnosis.ts'
import { systemReader } from './system-reader.ts'

/** ms between the two looks: a spinner of ten frames a second shows, and nobody is kept waiting. */
const apart = 600

/**
 * @returns undefined where no such process runs
 * @throws {LullError} USAGE where it is a thread of the kernel, or this machine gives nothing to look at
 */
export async function diagnoseNow(pid: number): Promise<Diagnosis | undefined> {
  const stat = readStat(pid)
  if (stat && isKernel(stat))
    throw new LullError(
      'USAGE',
      `pid:${pid} is a thread of the kernel (${stat.name}), which waits for no program`,
    )
  const reader = systemReader()
  const before = reader.snapshot(pid, 'calls')
  if (!before) {
    if (reader.unsupportedReason !== undefined) throw new LullError('USAGE', reader.unsupportedReason)
    return undefined
  }
  await sleep(apart)
  const after = reader.snapshot(pid, 'suspects')
  return after && diagnose({ before, after })
}
