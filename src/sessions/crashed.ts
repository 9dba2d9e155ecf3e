/** Whether what has exited did so against its will. */
import { agents } from '../agents/registry.ts'
import type { Session } from '../core/session.ts'
import type { LiveSession } from './session-source.ts'
import { reportedEnd } from './turn-end.ts'

/**
 * True for an exit by signal or by a code other than 0; also if hooks arrived until the end but none reported the end,
 * although hooks of this agent do.
 */
export function hasCrashed(live: LiveSession): boolean {
  const { session } = live
  const { state } = session.verdict
  if (state.kind !== 'exited') return false
  // That its process is gone as well is later, and more certain.
  if (session.lanes.main?.news.state.kind === 'exited') return false
  if (state.code !== undefined || state.signal !== undefined)
    return state.signal !== undefined || state.code !== 0
  return isEndTold(live) && !areHooksSilent(session)
}

/** Its hooks are heard, and one of them reports the end of a session. */
export const isEndTold = ({ hooks, agent }: Pick<LiveSession, 'hooks' | 'agent'>): boolean =>
  hooks === 'heard' && reportsEnd(agent)

/**
 * The hooks did not report the end of the last turn; of an interrupted turn, which ends without a hook, they reported
 * nothing at all. Then they have been removed.
 */
function areHooksSilent(session: Session): boolean {
  const { main } = session.lanes
  if (main?.news.state.kind !== 'idle') return false
  const { count, toldBy } = session.turns
  return reportedEnd(session) === 'interrupt' ? (toldBy.hook ?? 0) < count : !main.by.includes('hook')
}

const reportsEnd = (agent: string): boolean =>
  Object.values(agents)
    .find(({ name }) => name === agent)
    ?.hooks?.events.some(({ name }) => name === 'SessionEnd') === true
