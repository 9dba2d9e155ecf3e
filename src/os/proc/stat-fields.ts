/** `/proc/PID/stat`, whose second field, the name, may hold blanks and brackets. */
import { readProc } from './small-file.ts'

export type ProcessStat = {
  readonly parent: number
  /** Its process group. */
  readonly group: number
  /** Field 22: when it started, in ticks since boot, as the kernel writes it. */
  readonly startTicks: string
  /** It has ended and waits for its parent to notice. */
  readonly isZombie: boolean
  /** Device number of its controlling terminal; 0 where it has none. */
  readonly tty: number
  /** The process group that this terminal listens to; -1 where there is none. */
  readonly foreground: number
}

/** Linux counts 100 ticks a second for programs, on every machine. */
export const tickMs = 10

/** What the kernel tells of a process; undefined where it is gone, or there is no /proc. */
export function readStat(pid: number): ProcessStat | undefined {
  const line = readProc(`/proc/${pid}/stat`)
  const fields = line?.slice(line.lastIndexOf(') ') + 2).split(' ')
  const [state, parent, group, , tty, foreground] = fields ?? []
  const startTicks = fields?.[19]
  if (parent === undefined || startTicks === undefined) return undefined
  return {
    parent: Number(parent),
    group: Number(group),
    startTicks,
    isZombie: state === 'Z' || state === 'X',
    tty: Number(tty),
    foreground: Number(foreground),
  }
}
