/** The processes of an agent, below the shell that it was started by. */
import { readFileSync } from 'node:fs'
import { childrenOf } from '../../src/os/proc/stat.ts'

/** The processes that a process has started, and theirs. */
export function below(pid: number): number[] {
  const children = childrenOf(pid)
  return children.flatMap(child => [child, ...below(child)])
}

/** Whether it is the command of a directive: `sleep 61` of `[[bash:61]]` (bench/lab/directive.ts). */
export function runsCommand(pid: number, directive: string): boolean {
  const seconds = /^\[\[\w+:(\d+)\]\]$/.exec(directive)?.[1]
  return readOrNothing(`/proc/${pid}/cmdline`) === `sleep\0${seconds}\0`
}

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
