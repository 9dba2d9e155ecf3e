/** A hook as it arrives: whose it is, what it says, and from which process. */

import { type AgentName, agentNames, isAgentName } from '../agents/agent-names.ts'
import type { Agent, HookInput } from '../agents/kit/agent.ts'
import { namedEvent } from '../agents/kit/hook-payload.ts'
import { agents } from '../agents/registry.ts'
import { isRecord, parseJson } from '../core/trace/trace.ts'
import { readArguments } from '../os/proc/command-line.ts'
import { ancestors } from '../os/proc/stat.ts'

export type HookReport = HookInput & {
  readonly agent: AgentName
  /** The agent's process, or one below it; none where nobody knows (HTTP). */
  readonly sender?: Sender
  readonly pane?: string
}

export type Sender = {
  /** The process itself, its parent, and so on. */
  readonly pids: readonly number[]
  /** A server of the agent stands above: it runs the turns of several sessions, and what started it is only one of them. */
  readonly isShared: boolean
}

type Words = {
  readonly agent: string
  readonly event?: string | undefined
  readonly pid?: string | undefined
  readonly pane?: string | undefined
  readonly via?: string | undefined
}

/** A hook that can't be read is refused with a sentence. */
export type ReadHookReport = { readonly report: HookReport } | { readonly refused: string }

const longestName = 100

/** Reads what a forwarder sends: words of its request, and the payload as the agent wrote it. */
export function readHookReport({ agent, event, pid, pane, via }: Words, body: string): ReadHookReport {
  if (!isAgentName(agent)) {
    return { refused: `no such agent: ${agent.slice(0, 40)}; known are ${agentNames.join(', ')}` }
  }
  const payload = body.trim() === '' ? {} : parseJson(body)
  if (!isRecord(payload)) return { refused: 'the payload is no JSON object' }
  const named = event ?? namedEvent(payload)
  if (typeof named !== 'string' || named === '' || named.length > longestName) {
    return { refused: 'neither the request nor the payload names the event' }
  }
  const sender =
    pid !== undefined && /^\d{1,10}$/.test(pid) ? senderOf(Number(pid), agents[agent]) : undefined
  return {
    report: {
      agent,
      event: named,
      payload,
      ...(sender ? { sender } : {}),
      ...(pane !== undefined && /^%\d{1,9}$/.test(pane) ? { pane } : {}),
      ...(via === undefined ? {} : { via: via.slice(0, 20) }),
    },
  }
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
