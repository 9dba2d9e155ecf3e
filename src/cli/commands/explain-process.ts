/** `lull explain pid:N`: what any running process tree does or waits for, now. Nothing is stopped or traced for it. */

import { setTimeout as sleep } from 'node:timers/promises'
import { exitCode } from '../../core/exit-codes.ts'
import { LullError } from '../../core/lull-error.ts'
import { isKernel, readStat } from '../../os/proc/stat.ts'
import { diagnose } from '../../process/closure/diagnose.ts'
import { describe, waitTree } from '../../process/describe.ts'
import type { Diagnosis } from '../../process/diagnosis.ts'
import { systemReader } from '../../process/system-reader.ts'
import { tame } from '../ui/cells.ts'

/** ms between the two looks of a pair: a spinner of ten frames a second shows, and nobody is kept waiting. */
const apart = 600

/** Undefined where the address means something else. */
export function pidOf(address: string): number | undefined {
  const [, digits] = /^pid:([1-9]\d{0,9})$/.exec(address) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Looks twice at a tree.
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
    if (reader.lacks !== undefined) throw new LullError('USAGE', reader.lacks)
    return undefined
  }
  await sleep(apart)
  const after = reader.snapshot(pid, 'suspects')
  return after && diagnose({ before, after })
}

/** Prints what is so of a tree that is no session; exits 5 where there is none. */
export async function explainProcess(pid: number, { json }: { readonly json?: boolean }): Promise<void> {
  const diagnosis = await diagnoseNow(pid)
  if (!diagnosis) {
    process.stderr.write(
      `lull: no process ${pid} runs on this machine (lull ps lists agents; ps lists processes)\n`,
    )
    process.exitCode = exitCode.gone
    return
  }
  process.stdout.write(json ? `${JSON.stringify({ pid, ...diagnosis })}\n` : processText(diagnosis))
}

/** The sentence, the tree of who waits for whom, and what is not certain. */
export function processText(diagnosis: Diagnosis): string {
  const { cause, proof, doubts } = diagnosis
  const lines = [
    describe(diagnosis),
    `  ${cause.replace('_', ' ')}, ${proof}`,
    ...waitTree(diagnosis).map(row => `  ${row}`),
    ...doubts.map(doubt => `  but: ${doubt}`),
  ]
  return `${lines.map(tame).join('\n')}\n`
}
