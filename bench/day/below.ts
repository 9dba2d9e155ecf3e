/** The processes of an agent, below the shell that it was started by. */
import { readFileSync } from 'node:fs'

/** The processes that a process has started, and theirs. */
export function below(pid: number): number[] {
  const children = childrenOf(pid)
  return children.flatMap(child => [child, ...below(child)])
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  } catch {
    return []
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}
