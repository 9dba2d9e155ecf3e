/** The agent of a `lull hooks` command: by its name, and only where lull knows hooks of it. */
import { agents, type HookedAgent, hasHooks } from '../../../agents.ts'
import { LullError } from '../../../core/lull-error.ts'
import { agentNames, hookedNames, isAgentName } from '../../../index.ts'

/** @throws {LullError} USAGE */
export function hookedAgent(name: string): HookedAgent {
  if (!isAgentName(name))
    throw new LullError('USAGE', `${name}: unknown agent; use one of ${agentNames.join(', ')}`)
  const agent = agents[name]
  if (!hasHooks(agent))
    throw new LullError(
      'USAGE',
      `${name}: lull has no hooks for this agent and reads its screen; agents with hooks: ${hookedNames.join(', ')}`,
    )
  return agent
}
