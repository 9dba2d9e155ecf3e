/** The fields of /proc/PID/stat that say whose terminal it is, and who listens to it. */
import { readStat } from './stat.ts'

export type TerminalStat = {
  readonly pid: number
  readonly name: string
  readonly state: string
  readonly parent: number
  readonly group: number
  readonly session: number
  /** Device number of its controlling terminal, 0 for none. */
  readonly tty: number
  /** The foreground group of that terminal. */
  readonly foreground: number
  readonly threads: number
  /** A new program in the same process has other addresses: field 26 and 28, 0 where they may not be read. */
  readonly image: string
  /** Where its stack began, 0 where it may not be read. */
  readonly stackStart: number
}

/** Undefined where the process is gone, or there is no /proc. */
export function terminalStat(pid: number): TerminalStat | undefined {
  const stat = readStat(pid)
  if (!stat) return undefined
  const { name, state, parent, group, session, terminal, foreground, threads } = stat
  const { startTicks, codeStart, stackStart } = stat
  return {
    pid,
    name,
    state,
    parent,
    group,
    session,
    tty: terminal,
    foreground,
    threads,
    image: `${startTicks} ${codeStart} ${stackStart}`,
    stackStart: Number(stackStart),
  }
}
