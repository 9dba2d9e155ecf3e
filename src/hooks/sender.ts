/** Who sent a hook: it names the shell that ran it, and the agent stands above that. */
import type { Agent } from '../agents/kit/agent.ts'
import { ancestors } from '../os/proc/ancestors.ts'
import { readArguments } from '../os/proc/command-line.ts'

export type Sender = {
  /** The process itself, its parent, and so on. */
  readonly pids: readonly number[]
  /** A server of the agent stands above: it runs the turns of several sessions, and what started it is only one of them. */
  readonly isShared: boolean
}

/** The agent, its shell, the forwarder; and one more, for a wrapper. */
const mostSteps = 4

/** To be asked while the process lives: a hook's shell is gone a moment after its answer. */
export function senderOf(pid: number, agent: Agent): Sender | undefined {
  const pids: number[] = []
  for (const above of ancestors(pid, mostSteps)) {
    if (isServer(above, agent)) return { pids, isShared: true }
    pids.push(above)
  }
  return pids.length === 0 ? undefined : { pids, isShared: false }
}

function isServer(pid: number, { process: { server } }: Agent): boolean {
  if (server === undefined) return false
  return readArguments(pid).slice(1, 4).includes(server)
}
