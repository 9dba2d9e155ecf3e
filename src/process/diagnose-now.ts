/** What a process tree does or waits for, now, from two scans shortly after each other. Nothing is stopped or traced. */
import { setTimeout as sleep } from 'node:timers/promises'
import { checkValues, is } from '../core/check-values.ts'
import { defined } from '../core/defined.ts'
import { LullError } from '../core/lull-error.ts'
import { readWhole } from '../os/proc/proc-file.ts'
import { isKernel, readStat } from '../os/proc/stat.ts'
import { isTerminal } from '../os/tty/tty.ts'
import { diagnose } from './closure/diagnose.ts'
import type { Diagnosis } from './diagnosis.ts'
import { isMaster, readDescriptors } from './linux/holders.ts'
import type { Depth, ProcessReader } from './process-reader.ts'
import type { Snapshot } from './snapshot.ts'
import { systemReader } from './system-reader.ts'

/** ms between the two scans: long enough to see a spinner of ten frames a second. */
const apart = 600

/** Who supervises the tree, where it is a run of another lull. */
export type Supervised = {
  readonly supervisor: number
  /** The first process of what it runs. */
  readonly command: number
}

/**
 * @param run is examined from its supervisor's side: ends that the supervisor holds are its own, and its own pid means its command
 * @returns undefined where no such process runs
 * @throws {LullError} USAGE where it is a thread of the kernel, or this machine gives nothing to look at
 */
export async function diagnoseNow(asked: number, run?: Supervised): Promise<Diagnosis | undefined> {
  checkValues('diagnose', [asked], { pid: is.wholeFrom(1) })
  const pid = run?.supervisor === asked ? run.command : asked
  const stat = readStat(pid)
  if (stat && isKernel(stat))
    throw new LullError(
      'USAGE',
      `pid:${pid} is a thread of the kernel (${stat.name}), which waits for no program`,
    )
  const reader = systemReader(run && { supervisor: run.supervisor })
  const before = wholeSnapshot(reader, pid, 'calls')
  if (!before) {
    if (reader.unsupportedReason !== undefined) throw new LullError('USAGE', reader.unsupportedReason)
    return undefined
  }
  await sleep(apart)
  const after = wholeSnapshot(reader, pid, 'suspects')
  const name = run && `\`lull\`(${run.supervisor})`
  return (
    after &&
    diagnose(
      { before, after },
      defined({ supervisorName: name, owesInput: run && isTypedInto(run.supervisor) }),
    )
  )
}

/** It holds a terminal and passes on what is typed into its own. */
function isTypedInto(supervisor: number): boolean {
  const { links } = readDescriptors(supervisor)
  return isTerminal(links.get(0) ?? '') && [...links.values()].some(isMaster)
}

/** @throws {LullError} REFUSED_FILE where the system has no room to read it: what could not be read would look like what does not exist */
function wholeSnapshot(reader: ProcessReader, pid: number, depth: Depth): Snapshot | undefined {
  const { value, refusal } = readWhole(() => reader.snapshot(pid, depth))
  if (refusal !== undefined) throw new LullError('REFUSED_FILE', `pid:${pid} can't be looked at: ${refusal}`)
  return value
}
