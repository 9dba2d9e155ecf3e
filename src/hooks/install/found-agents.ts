/** The agents of this machine that hooks can be installed for. Beside inspect.ts, which the hint of `lull ps` loads without readers. */
import { existsSync } from 'node:fs'
import { type HookedAgent, hasHooks } from '../../agents/kit/agent.ts'
import { agents } from '../../agents/registry.ts'
import { homeOf } from '../../os/file/places.ts'
import { programOnPath } from '../../os/spawn/find-program.ts'
import { hasSession } from './behind-wrapper.ts'
import { inspectHooks } from './inspect.ts'
import { configFolder, type InstallPlace, type Scope } from './settings-path.ts'

const hooked: readonly HookedAgent[] = Object.values(agents).filter(hasHooks)

/** Their program is on the PATH or runs, or their folder is there: then it was used by this person. */
export const foundAgents = ({ env }: InstallPlace): readonly HookedAgent[] =>
  hooked.filter(
    agent =>
      programOnPath(agent.process.argv0, env.PATH) !== undefined ||
      existsSync(configFolder(agent.hooks, env)) ||
      hasSession(agent, homeOf(env)),
  )

/** Agents with hooks of lull in their files, or with unreadable files. */
export const hookedInScope = (scope: Scope, where: InstallPlace): readonly HookedAgent[] =>
  hooked.filter(agent => {
    const { inPlace, stale, unknown, problem } = inspectHooks(agent, scope, where, undefined)
    return inPlace.length + stale.length + unknown.length > 0 || problem !== undefined
  })
