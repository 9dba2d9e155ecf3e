/** A hook as it arrives: whose it is, what it says, and from which process. */

import type { AgentName } from '../agents/kit/agent.ts'
import { namedEvent } from '../agents/kit/hook-payload.ts'
import { agentNames, agents, isAgentName } from '../agents/registry.ts'
import { isRecord, parseJson } from '../core/trace/trace.ts'
import { type Sender, senderOf } from './sender.ts'

export type HookReport = {
  readonly agent: AgentName
  readonly event: string
  readonly payload: unknown
  /** The agent's process, or one below it; none where nobody knows (HTTP). */
  readonly sender?: Sender
  readonly pane?: string
  readonly via?: string
}

type Words = {
  readonly agent: string
  readonly event?: string | undefined
  readonly pid?: string | undefined
  readonly pane?: string | undefined
  readonly via?: string | undefined
}

/** A hook that can't be read is refused with a sentence. */
export type ReadReport = { readonly report: HookReport } | { readonly refused: string }

const longestName = 100

/** Reads what a forwarder sends: words of its request, and the payload as the agent wrote it. */
export function readReport({ agent, event, pid, pane, via }: Words, body: string): ReadReport {
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
