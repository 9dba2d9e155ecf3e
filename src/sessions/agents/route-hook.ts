/** Finds the session that a hook belongs to. An ambiguous hook belongs to none: a wrong session would show another's turn. */
import { isBegunWith } from '../../agents/kit/agent-files.ts'
import { originOf } from '../../agents/kit/hook-payload.ts'
import { recognise } from '../../agents/recognise-agent.ts'
import { agents } from '../../agents/registry.ts'
import type { HookReport } from '../../hooks/receiver.ts'
import { readArguments } from '../../os/proc/command-line.ts'
import { isTranscriptOf } from '../discover/agent-file-search.ts'
import type { FollowedAgent } from './agents-state.ts'

/**
 * Searches for agents again if the hook may come from a new one.
 * @param agents those that are known to run
 */
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

/** A running session of the agent that the hook names, as far as it is known. */
export type Candidate = ReturnType<typeof candidateOf>

const candidateOf = ({ id, process, startedAt, surroundings, follow, agentSession }: FollowedAgent) => ({
  id,
  pid: process.pid,
  startedAt,
  cwd: surroundings.cwd,
  transcript: follow.path,
  session: agentSession,
})

/**
 * The process that ran the hook identifies it. If it does not (HTTP, a server of several sessions): the agent's own
 * session id, its transcript, and last the folder, if one session in it can be meant.
 * @returns the candidate's id
 */
export function routeHook(
  { agent, sender, payload }: HookReport,
  candidates: readonly Candidate[],
): string | undefined {
  const known = agents[agent]
  // The nearest: an agent may run another as its tool.
  for (const above of sender?.pids ?? []) {
    const own = candidates.find(({ pid }) => pid === above)
    if (own) return own.id
  }
  const { session, transcript, cwd } = originOf(payload)
  const byId = candidates.filter(c => session !== undefined && c.session === session)
  if (byId.length === 1) return byId[0]?.id
  const byFile = candidates.filter(c => transcript !== undefined && c.transcript === transcript)
  if (byFile.length === 1) return byFile[0]?.id
  // A known sender that is below none of them belongs to a session that lull does not see.
  if (sender && !sender.isShared) return undefined
  const near = candidates.filter(
    c => cwd !== undefined && c.cwd === cwd && (c.session === undefined || session === undefined),
  )
  const begun = near.filter(c => session !== undefined && isBegunWith(known, session, c.startedAt))
  if (begun.length === 1) return begun[0]?.id
  const here = sender?.isShared ? candidates.filter(c => cwd !== undefined && c.cwd === cwd) : []
  const made = session === undefined ? undefined : known.files.sessionStart?.read(session)
  // One that was made later may be of each that is there.
  if (near.length === 1 && (made === undefined || here.length <= 1)) return near[0]?.id
  // `/clear` goes on in another session of the server: of the only one that may have begun it.
  const [one] = here
  return here.length === 1 && one && made !== undefined && made >= one.startedAt ? one.id : undefined
}
