/** `/proc/PID/stat`, whose second field, the name, may hold blanks and brackets. */
import { readFileSync } from 'node:fs'
import { attempt } from '../attempt.ts'

export type ProcessStat = {
  readonly parent: number
  /** Field 22: when it started, in ticks since boot, as the kernel writes it. */
  readonly startTicks: string
}

/** What the kernel tells of a process; undefined where it is gone, or there is no /proc. */
export function readStat(pid: number): ProcessStat | undefined {
  const fields = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
    ?.replace(/^.*\) /s, '')
    .split(' ')
  const [, parent] = fields ?? []
  const startTicks = fields?.[19]
  return parent === undefined || startTicks === undefined ? undefined : { parent: Number(parent), startTicks }
}
