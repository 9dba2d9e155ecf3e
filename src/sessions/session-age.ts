/** How long a session's process has run. */
import os from 'node:os'
import { readStat, tickMs } from '../os/proc/stat.ts'
import type { LiveSession } from './session-source.ts'

/** ms; a number that is gone may be another process' by now. */
export function ageOf({ pid, session }: LiveSession): number | undefined {
  if (session.verdict.state.kind === 'exited') return undefined
  const ticks = readStat(pid)?.startTicks
  return ticks === undefined ? undefined : Math.max(0, os.uptime() * 1000 - Number(ticks) * tickMs)
}
