/** A followed session as every interface shows it: commands, host and library. */
import type { Session } from '../../core/session.ts'
import type { Instant } from '../../core/state.ts'
import type { HookReception, LiveSession } from '../session-source.ts'
import type { FollowedAgent } from './agents-state.ts'

/** Wall time is read in whole milliseconds, and steps a little. */
const clockJitterMs = 20

/**
 * @param seenAt when somebody last looked at it, and `epoch` the machine's monotonic 0: ms since the epoch
 * @param receivesHooks hooks could have come
 */
export function viewOf(
  { id, process, surroundings, status, follow, branch, hooks, turnsBefore }: FollowedAgent,
  session: Session,
  {
    seenAt,
    epoch,
    receivesHooks,
  }: { readonly seenAt: number; readonly epoch: number; readonly receivesHooks: boolean },
): LiveSession {
  const { cwd, pane, tmux, note } = surroundings
  const { path: transcript } = follow
  return {
    id,
    agent: process.agent.name,
    pid: process.pid,
    ...(cwd === undefined ? {} : { cwd }),
    ...(branch === undefined ? {} : { branch }),
    ...(pane === undefined ? {} : { pane }),
    ...(tmux === undefined ? {} : { tmux }),
    ...(transcript === undefined ? {} : { transcript }),
    ...(status === undefined ? {} : { status }),
    ...(note === undefined ? {} : { note }),
    hooks: hooks > 0 ? 'heard' : receptionOf(session, turnsBefore, receivesHooks),
    isSeen: seenAt + clockJitterMs >= lastEnd(session) + epoch,
    session: { ...session, instant: undefined },
  }
}

/** `blind` once it went through a whole turn while hooks could be received, and none came. */
function receptionOf({ verdict }: Session, turnsBefore: number, receivesHooks: boolean): HookReception {
  const hasEndedTurn = verdict.turn > turnsBefore && verdict.turnOver
  return receivesHooks && hasEndedTurn ? 'blind' : 'unknown'
}

/** When the last turn ended, as far as any source reported it. */
const lastEnd = ({ verdict, turns }: Session): Instant =>
  verdict.state.kind === 'idle' ? Math.max(verdict.since, turns.lastEnd) : turns.lastEnd
