/** Whether what has exited did so against its will. */
import { agents } from '../agents/registry.ts'
import type { LiveSession } from './session-source.ts'

/**
 * It did not end of itself: by a signal or a code; or its hooks, which were heard, have not told of its end, though such agents
 * tell of it.
 */
export function hasCrashed({ session, hooks, agent }: LiveSession): boolean {
  const { state, because } = session.verdict
  if (state.kind !== 'exited') return false
  if (because.some(evidence => evidence.type === 'news' && evidence.says.kind === 'exited')) return false
  if (state.code !== undefined || state.signal !== undefined)
    return state.signal !== undefined || state.code !== 0
  return hooks === 'heard' && tellsEnd(agent)
}

const tellsEnd = (agent: string): boolean =>
  Object.values(agents)
    .find(({ name }) => name === agent)
    ?.hooks?.events.some(({ name }) => name === 'SessionEnd') === true
