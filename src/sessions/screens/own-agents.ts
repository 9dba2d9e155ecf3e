/** The agents that a person has written rules for and lull does not know: each folder beside those of the known ones. */
import { existsSync, readdirSync } from 'node:fs'
import { isAgentName } from '../../agents/agent-names.ts'
import type { Agent } from '../../agents/kit/agent.ts'
import { isOwnName, ownAgent } from '../../agents/own-agent.ts'
import { attempt } from '../../os/attempt.ts'
import type { Env } from '../../os/file/places.ts'
import { rulesFileOf, rulesFolderOf } from './rules-place.ts'

/** More are a mistake: each is compared with every program that starts. */
const mostAgents = 100

/** Looks at the folder each time it is asked; the same agent is the same object each time. */
export function keepOwnAgents(env: Env = process.env): () => readonly Agent[] {
  const folder = rulesFolderOf(env)
  const kept = new Map<string, Agent>()
  const keep = (name: string): Agent => {
    const agent = kept.get(name) ?? ownAgent(name)
    kept.set(name, agent)
    return agent
  }
  return () =>
    (attempt(() => readdirSync(folder)) ?? [])
      .filter(name => isOwnName(name) && !isAgentName(name) && existsSync(rulesFileOf(folder, name)))
      .slice(0, mostAgents)
      .map(keep)
}
