/** Whether what has exited did so against its will. */
import { agents } from '../agents/registry.ts'
import type { Session } from '../core/session.ts'
import type { LiveSession } from './session-source.ts'
import { reportedEnd } from './turn-end.ts'

/**
 * It did not end of itself: by a signal or a code; or its hooks, which were heard to the last, have not told of its end, though
 * such agents tell of it.
 */
export function hasCrashed({ session, hooks, agent }: LiveSession): boolean {
  const { state } = session.verdict
  if (state.kind !== 'exited') return false
  // That its process is gone as well is later, and more certain.
  if (session.lanes.main?.news.state.kind === 'exited') return false
  if (state.code !== undefined || state.signal !== undefined)
    return state.signal !== undefined || state.code !== 0
  return hooks === 'heard' && tellsEnd(agent) && !areHooksSilent(session)
}

/**
 * They did not tell of the end of its last turn, or told nothing at all of one that was broken off, of whose end no hook tells:
 * somebody has taken them out.
 */
function areHooksSilent(session: Session): boolean {
  const { main } = session.lanes
  if (main?.news.state.kind !== 'idle') return false
  const { count, toldBy } = session.turns
  return reportedEnd(session) === 'interrupt' ? (toldBy.hook ?? 0) < count : !main.by.includes('hook')
}

const tellsEnd = (agent: string): boolean =>
  Object.values(agents)
    .find(({ name }) => name === agent)
    ?.hooks?.events.some(({ name }) => name === 'SessionEnd') === true
