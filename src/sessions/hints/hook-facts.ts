/** Facts about a session without hooks: its settings, its environment, its program. */
import { statSync } from 'node:fs'
import { type HookedAgent, hasHooks } from '../../agents/kit/agent.ts'
import { agents } from '../../agents/registry.ts'
import { defined } from '../../core/defined.ts'
import { notedHosts } from '../../hooks/host-notes.ts'
import { findCli } from '../../hooks/install/cli-program.ts'
import { inspectHooks, senderOnPath } from '../../hooks/install/inspect.ts'
import type { InstallPlace } from '../../hooks/install/settings-path.ts'
import { attempt } from '../../os/attempt.ts'
import { type Env, homeOf, type Places } from '../../os/file/places.ts'
import { readEnvironment } from '../../os/proc/command-line.ts'
import { ageOf } from '../session-age.ts'
import type { LiveSession } from '../session-source.ts'
import type { HookFacts } from './no-hooks-step.ts'

/** @returns undefined for an agent that has no hooks */
export async function hookFacts(
  session: LiveSession,
  places: Places,
  wall: number,
): Promise<HookFacts | undefined> {
  const agent = hookedOf(session.agent)
  if (!agent) return undefined
  const { pid, cwd = '/', note, hooks } = session
  const common = { agent: agent.name, isBlind: hooks === 'blind', ...defined({ note }) }
  // Of another user's process nothing is read.
  if (note !== undefined) return { ...common, inspections: [], sender: 'own' }
  const own = readEnvironment(pid)
  const env: Env = { ...own, HOME: homeOf(own) }
  const where: InstallPlace = { places, env, cwd }
  // To read its list of events takes a second: only where something is known to be wrong.
  const program = hooks === 'blind' ? await findCli(agent, { env }) : undefined
  const inspections = (['user', 'project'] as const).map(scope => inspectHooks(agent, scope, where, program))
  const age = ageOf(session)
  const written = inspections
    .filter(({ inPlace, stale }) => inPlace.length + stale.length > 0)
    .flatMap(({ file }) => attempt(() => statSync(file).mtimeMs) ?? [])
  return {
    ...common,
    inspections,
    sender: agent.hooks.format.kind === 'module' ? 'own' : senderOnPath(env),
    ...defined({
      startedAt: age === undefined ? undefined : wall - age,
      // Where two files hold hooks, it may have read the older one.
      writtenAt: written.length === 0 ? undefined : Math.min(...written),
      otherHost: otherHostOf(env.LULL_RUNTIME_DIR, places),
      version: program?.version,
      knowsHooks:
        program?.version === undefined || agent.hooks.list === undefined
          ? undefined
          : knowsAny(program.events, agent),
    }),
  }
}

/** A program with an unreadable list may know all of them. */
const knowsAny = (events: ReadonlySet<string> | undefined, { hooks }: HookedAgent): boolean | undefined =>
  events === undefined ? undefined : hooks.events.some(({ name }) => events.has(name))

function hookedOf(name: string): HookedAgent | undefined {
  const agent = Object.values(agents).find(one => one.name === name)
  return agent && hasHooks(agent) ? agent : undefined
}

/** Its hooks go there, and not where this lull asks. */
function otherHostOf(runtime: string | undefined, places: Places): HookFacts['otherHost'] {
  if (!runtime || runtime === places.runtime) return undefined
  return notedHosts(places).find(note => note.runtime === runtime)
}
