/** The processes of an agent, below the shell that it was started by. */
import { readFileSync } from 'node:fs'
import { childrenOf } from '../../src/os/proc/stat.ts'

/** The processes that a process has started, and theirs. */
export function below(pid: number): number[] {
  const children = childrenOf(pid)
  return children.flatMap(child => [child, ...below(child)])
}

/** Whether a command of the model's runs: all of them sleep (bench/lab/directive.ts). */
export const runsCommand = (pid: number): boolean =>
  below(pid).some(child => /^sleep\0/.test(readOrNothing(`/proc/${child}/cmdline`)))

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}
