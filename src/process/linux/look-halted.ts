/**
 * Whether somebody keeps a process from going on: by a signal, by a freezer, by a terminal that takes no output. A few
 * small files, so that it can be asked of every agent each second.
 */
import { readLink, readText } from '../../os/proc/proc-file.ts'
import { readStat } from '../../os/proc/stat.ts'
import { isTerminal, readSettings, takesOutputWithin } from '../../os/tty/tty.ts'
import { freezers } from './cgroups.ts'

export type HaltedBy = 'stopped' | 'frozen' | 'output'

/**
 * `runs` changes whenever its first thread gets a processor: equal at two looks, it has not moved in between. Read of what is
 * halted alone, and empty else: of fifty agents it is half of what the looks cost.
 */
export type HaltedLook = { readonly by?: HaltedBy; readonly runs: string }

/**
 * ms. A first look has none to compare with: a terminal that is full for a moment (tmux on a busy machine) gets this long to take
 * output.
 */
const firstLookMs = 150

/** Undefined where it is gone or there is no /proc. A tracer's stop (`t`) is none: a debugger lets it go on by itself. */
export function lookHalted(pid: number, isFrozen = freezers(), isFirst = false): HaltedLook | undefined {
  const stat = readStat(pid)
  if (!stat) return undefined
  const by =
    stat.state === 'T' ? 'stopped' : isFrozen(pid) ? 'frozen' : isMuted(pid, isFirst) ? 'output' : undefined
  return by === undefined ? { runs: '' } : { by, runs: readText(`/proc/${pid}/schedstat`) }
}

/** The terminal that it prints to takes nothing. */
function isMuted(pid: number, isFirst: boolean): boolean {
  const printsTo = readLink(`/proc/${pid}/fd/1`)
  if (!('link' in printsTo) || !isTerminal(printsTo.link)) return false
  if (readSettings(printsTo.link)?.isOutputStopped !== true) return false
  return !isFirst || !takesOutputWithin(printsTo.link, firstLookMs)
}
