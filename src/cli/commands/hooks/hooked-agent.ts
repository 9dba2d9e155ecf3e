/** The agent of a `lull hooks` command: by its name, and only where lull knows hooks of it. */
import { agents, type HookedAgent, hasHooks } from '../../../agents.ts'
import { LullError } from '../../../core/lull-error.ts'
import { agentNames, hookedNames, isAgentName } from '../../../index.ts'

/** @throws {LullError} USAGE */
export function hookedAgent(name: string): HookedAgent {
  if (!isAgentName(name))
    throw new LullError('USAGE', `${name}: no such agent; known are ${agentNames.join(', ')}`)
  const agent = agents[name]
  if (!hasHooks(agent))
    throw new LullError(
      'USAGE',
      `${name}: lull knows no hooks of it and reads its screen; agents with hooks are ${hookedNames.join(', ')}`,
    )
  return agent
}
