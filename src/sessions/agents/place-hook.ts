/** Finds the session of a hook among those that are known, and searches once more where it may be a new one's. */
import { originOf } from '../../agents/kit/hook-payload.ts'
import { recognise } from '../../agents/recognise-agent.ts'
import type { HookReport } from '../../hooks/hook-report.ts'
import { readArguments } from '../../os/proc/command-line.ts'
import { isTranscriptOf } from '../discover/agent-file-search.ts'
import type { FollowedAgent } from './agents-state.ts'
import { candidateOf, routeHook } from './route-hook.ts'

/** @param agents those that are known to run */
export function placeHook(
  report: HookReport,
  agents: () => readonly FollowedAgent[],
  search: () => void,
): FollowedAgent | undefined {
  const own = () => agents().filter(({ process }) => process.agent.name === report.agent)
  const route = () => routeHook(report, own().map(candidateOf))
  const isKnown = (pid: number) => own().some(({ process }) => process.pid === pid)
  const nearest = report.sender?.pids.find(
    pid => isKnown(pid) || recognise(readArguments(pid)) === report.agent,
  )
  let id = route()
  if (id === undefined || (nearest !== undefined && !isKnown(nearest))) {
    // An agent's first hook may come before the next search, and one that another runs as its tool is not the other.
    search()
    id = route()
  }
  return own().find(agent => agent.id === id)
}

/** The transcript that a hook names, where it is one of that agent's. */
export function transcriptOf({ process, surroundings }: FollowedAgent, payload: unknown): string | undefined {
  const { transcript } = originOf(payload)
  const isOwn = transcript !== undefined && isTranscriptOf(process.agent, transcript, surroundings)
  return isOwn ? transcript : undefined
}
