/** Watches a process that runs already, whoever started it. Nothing is stopped or traced for it, and its output is not seen. */
import type { Clock } from '../core/clock.ts'
import { LullError } from '../core/lull-error.ts'
import { whyNot } from '../core/system-refusal.ts'
import { hasEnded, isKernel, readStat } from '../os/proc/stat.ts'
import type { Preset } from './step/presets.ts'
import type { RunVerdict } from './step/run-verdict.ts'
import { watchRun } from './watch-run.ts'

type ProcessWatching = {
  readonly clock: Clock
  readonly preset: Preset
  /** ms. */
  readonly dwell: number
  /** Ends it. */
  readonly signal: AbortSignal
  /** With each look at it, about once a second. */
  onVerdict(verdict: RunVerdict): void
}

/**
 * Resolves where the process has ended, and where it is called off.
 * @throws {LullError} NO_SESSION where there is no such process; USAGE where it is another user's, or a thread of the kernel
 */
export async function watchProcess(
  pid: number,
  { clock, preset, dwell, signal, onVerdict }: ProcessWatching,
): Promise<void> {
  mustBeOwn(pid)
  const started = readStat(pid)?.startTicks
  /** Its number may be another's by now. */
  const isOver = (): boolean => {
    const stat = readStat(pid)
    return started !== undefined && (!stat || hasEnded(stat) || stat.startTicks !== started)
  }
  const over = Promise.withResolvers<void>()
  const watch = watchRun(pid, {
    clock,
    begun: clock.now(),
    preset,
    dwell,
    stdin: 'inherit',
    seesOutput: false,
    fetch: () => undefined,
    onGone: over.resolve,
    onFault: over.reject,
    onVerdict: verdict => (isOver() ? over.resolve() : onVerdict(verdict)),
  })
  if (watch.unsupported !== undefined) over.reject(new LullError('USAGE', watch.unsupported))
  const stop = (): void => over.resolve()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  // The samples alone keep no process alive: a child does that for a run, and here there is none.
  const alive = setInterval(() => undefined, 60_000)
  try {
    await over.promise
  } finally {
    clearInterval(alive)
    signal.removeEventListener('abort', stop)
    watch.close()
  }
}

function mustBeOwn(pid: number): void {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH')
      throw new LullError('NO_SESSION', `no process ${pid} runs on this machine (ps lists processes)`, {
        address: `pid:${pid}`,
      })
    throw new LullError('USAGE', `pid:${pid} is another user's, and can't be looked into: ${whyNot(error)}`)
  }
  const stat = readStat(pid)
  if (stat && isKernel(stat))
    throw new LullError(
      'USAGE',
      `pid:${pid} is a thread of the kernel (${stat.name}), which waits for no program`,
    )
}
