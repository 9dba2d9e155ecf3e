/** `--timeout` counts from the start of the command, and holds whatever does not answer: tmux, a host, a disk. */
import { flushCompileCache } from 'node:module'
import { exitCode } from '../core/exit-codes.ts'
import { formatDuration } from '../core/text/duration.ts'
import { exitAfter } from '../os/native/exit-timer.ts'

/** What comes to an end by itself at the timeout has done so by then, and has closed what it opened. */
const graceMs = 400
/** The same on a machine that is so busy that it takes longer. */
const busyMs = 2000
/** By then a tmux that answers has closed the pipe of the pane. */
const closingMs = 150
/** One look takes its time on a busy machine, whatever is asked for. */
const leastMs = 2000
/** That and all that it has to load takes less than so many times what was loaded first, also where the machine is busy. */
const mostStarts = 8

/** What a wait needs is loaded by then. */
const loadedMs = 1000

/** From here on the process ends soon after the timeout, even if it hangs. */
export function limitTo(timeout: number | undefined): void {
  if (timeout === undefined) return
  const begun = performance.now()
  const end = Math.max(leastMs, begun * mostStarts, timeout + graceMs)
  exitAfter(end - begun, exitCode.timeout, sentenceOf(timeout))
  // Node would write what it compiled anew, hundreds of files after an update, at the end: here somebody waits anyway.
  setTimeout(flushCompileCache, Math.min(loadedMs, timeout / 2)).unref()
}

const sentenceOf = (timeout: number): string =>
  `lull: not reached within ${formatDuration(timeout)}: something that was asked does not answer (tmux, a host, a disk), or the machine is too busy`

let waiting: NodeJS.Timeout | undefined

/**
 * What is left of a timeout, now that the wait begins: loading this command took some of it. A process that is not stuck then
 * gets the time to tell what came of it.
 */
export function leftOf(timeout: number | undefined): { readonly timeout?: number } {
  if (timeout === undefined) return {}
  const left = Math.max(0, timeout - performance.now())
  waiting = setTimeout(() => exitAfter(busyMs, exitCode.timeout, sentenceOf(timeout)), left).unref()
  return { timeout: left }
}

/** The outcome is known and reported: resources are closed soon, or not at all. */
export function limitClosing(timeout: number | undefined): void {
  clearTimeout(waiting)
  if (timeout !== undefined) exitAfter(closingMs, Number(process.exitCode ?? 0))
}
