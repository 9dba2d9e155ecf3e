/** By which rules the screens of live agents are read: a person's own, as their files stand now, come before those of lull. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { isAgentName } from '../../agents/agent-names.ts'
import type { Agent } from '../../agents/kit/agent.ts'
import { isOwnName, ownAgent } from '../../agents/own-agent.ts'
import { agents } from '../../agents/registry.ts'
import { noRules } from '../../agents/screen/read-screen.ts'
import type { ScreenRules } from '../../agents/screen/screen-rule.ts'
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

export type RulesNow = {
  readonly rules: ScreenRules
  /** They come from a file of the person's own. */
  readonly isOwn: boolean
  /** Why that file does not hold: a sentence that names it. */
  readonly mistake?: string
}

export type KeptRules = {
  of(agent: string | undefined): Promise<RulesNow>
  /** What was wrong in the person's file when it was read last. */
  mistakeOf(agent: string): string | undefined
}

/** A file is read again where it has changed; what reads it is loaded only where there is one. */
export function keepRules(env: Env = process.env): KeptRules {
  const folder = rulesFolderOf(env)
  const kept = new Map<string, { readonly stamp: string; readonly now: RulesNow }>()
  async function read(agent: string): Promise<RulesNow> {
    const { rulesByAgent } = await import('./rules-by-agent.ts')
    let mistake: string | undefined
    const rules = rulesByAgent(env, sentence => {
      mistake = sentence
    }).of(agent)
    return mistake === undefined ? { rules, isOwn: true } : { rules, isOwn: false, mistake }
  }
  return {
    async of(agent) {
      const builtIn = agent !== undefined && isAgentName(agent) ? agents[agent].screens : noRules
      if (agent === undefined) return { rules: builtIn, isOwn: false }
      const stamp = stampOf(rulesFileOf(folder, agent))
      const before = kept.get(agent)
      if (stamp === undefined) {
        kept.delete(agent)
        return { rules: builtIn, isOwn: false }
      }
      if (before?.stamp === stamp) return before.now
      const now = await read(agent)
      kept.set(agent, { stamp, now })
      return now
    },
    mistakeOf: agent => kept.get(agent)?.now.mistake,
  }
}

function stampOf(file: string): string | undefined {
  const stat = attempt(() => statSync(file, { throwIfNoEntry: false, bigint: true }))
  return stat && `${stat.ino},${stat.size},${stat.mtimeNs},${stat.ctimeNs}`
}
