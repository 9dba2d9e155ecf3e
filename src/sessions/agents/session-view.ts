/** A followed session as every face shows it. */
import type { Session } from '../../core/session.ts'
import type { Instant } from '../../core/state.ts'
import type { TraceEvent } from '../../core/trace/trace.ts'
import type { Decoder } from '../../track/decode.ts'
import type { Subscribers } from '../../track/subscribers.ts'
import type { HookHearing, LiveSession } from '../session-source.ts'
import type { Watched } from './agent-follower.ts'

/** What a track of one's own keeps of a session besides its verdict. */
export type Followed = {
  readonly id: string
  readonly watched: Watched
  decoder: Decoder
  readonly events: Subscribers<TraceEvent>
  readonly branch: string | undefined
  /** How many hooks were heard of it. */
  hooks: number
  /** Turns when it was found: what ended before says nothing of hooks. */
  readonly turnsBefore: number
  goneAt?: Instant
}

/** Wall time is read in whole milliseconds, and steps a little. */
const clockJitterMs = 20

/**
 * @param seenAt when somebody last looked at it, and `epoch` the machine's monotonic 0: ms since the epoch
 * @param hearsHooks hooks could have been heard
 */
export function viewOf(
  { id, watched, branch, hooks, turnsBefore }: Followed,
  session: Session,
  {
    seenAt,
    epoch,
    hearsHooks,
  }: { readonly seenAt: number; readonly epoch: number; readonly hearsHooks: boolean },
): LiveSession {
  const { process, surroundings, status } = watched
  const { cwd, pane, tmux, note } = surroundings
  const transcript = watched.transcript()
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
    hooks: hooks > 0 ? 'heard' : hearingOf(session, turnsBefore, hearsHooks),
    isSeen: seenAt + clockJitterMs >= lastEnd(session) + epoch,
    session: { ...session, instant: undefined },
  }
}

/** Deaf to hooks: it went through a turn, and none was heard. */
function hearingOf({ verdict }: Session, turnsBefore: number, hearsHooks: boolean): HookHearing {
  const hasEndedTurn = verdict.turn > turnsBefore && verdict.turnOver
  return hearsHooks && hasEndedTurn ? 'blind' : 'unknown'
}

/** When the last turn ended, as far as anybody told or showed. */
const lastEnd = ({ verdict, turns }: Session): Instant =>
  verdict.state.kind === 'idle' ? Math.max(verdict.since, turns.lastEnd) : turns.lastEnd
