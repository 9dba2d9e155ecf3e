/** Signals that reach lull are the command's: its group is not the terminal's, so each is passed on. */
import os from 'node:os'
import { attempt } from '../../os/attempt.ts'
import { libc } from '../../os/native/libc.ts'

export type OnSignal = (signal: NodeJS.Signals) => void

const ends: ReadonlySet<string> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP'])

const passed = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const

/**
 * Passes signals on. Ctrl+Z stops the command's group and then lull, `fg` lets both go on.
 * @param onSignal called before a signal is passed on
 * @returns stops it
 */
export function passSignals(kill: OnSignal, onSignal: OnSignal): () => void {
  const pass = (signal: NodeJS.Signals): void => {
    onSignal(signal)
    kill(signal)
    // What is stopped takes no signal: it could not be ended. timeout(1) does the same.
    if (ends.has(signal)) kill('SIGCONT')
  }
  let isStopped = false
  // The command's group is orphaned in the kernel's sense, which ignores SIGTSTP there.
  const stop = (): void => {
    kill('SIGSTOP')
    isStopped = true
    process.kill(process.pid, 'SIGSTOP')
  }
  const go = (): void => {
    if (isStopped) kill('SIGCONT')
    isStopped = false
  }
  const mine: readonly (readonly [NodeJS.Signals, (signal: NodeJS.Signals) => void])[] = [
    ...passed.map(signal => [signal, pass] as const),
    ['SIGTSTP', stop],
    ['SIGCONT', go],
  ]
  for (const [signal, act] of mine) process.on(signal, act)
  return () => {
    for (const [signal, act] of mine) process.off(signal, act)
  }
}

/** signal(7): their default is to leave a core file. */
const leavesCore = /^SIG(QUIT|ILL|ABRT|BUS|FPE|SEGV|TRAP|SYS|XCPU|XFSZ)$/

/** ms. The first process of a container ignores signals that it does not handle: then the exit code shows the signal. */
const patienceMs = 200

/** sys/resource.h */
const RLIMIT_CORE = 4

/** From now on this process leaves no core file. False where that can't be had. */
const leaveNoCore = (): boolean => libc()?.setrlimit(RLIMIT_CORE, Buffer.alloc(16)) === 0

/** Ends this process as the command was ended, so that whoever started lull sees the same. */
export function endBySignal(signal: NodeJS.Signals): void {
  const code = 128 + os.constants.signals[signal]
  if (leavesCore.test(signal) && !leaveNoCore()) process.exit(code)
  process.removeAllListeners(signal)
  process.exitCode = code
  attempt(() => process.kill(process.pid, signal))
  setTimeout(() => process.exit(code), patienceMs)
}
