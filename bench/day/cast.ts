/** Who plays: ten agents of five CLIs, with hooks and without, alone and two of a folder and a home. */
import { type LabCli, labClis } from '../../scripts/setup-lab.ts'
import { hookedNames } from '../../src/agents/agent-names.ts'
import { newPlace, type Place } from '../lab/place.ts'
import type { Options } from '../lab/run.ts'
import { run } from '../live/processes.ts'
import { type Actor, newActor } from './actor.ts'
import { type SharedModel, shareModel } from './shared-model.ts'
import { day, type LaneName, type Situation } from './situations.ts'

const lanes: Readonly<
  Record<LaneName, { readonly cli: LabCli; readonly hooks: boolean; readonly agents: readonly string[] }>
> = {
  claudes: { cli: 'claude', hooks: true, agents: ['claude-1', 'claude-2'] },
  claude: { cli: 'claude', hooks: false, agents: ['claude-3'] },
  codex: { cli: 'codex', hooks: true, agents: ['codex-1'] },
  codexWithout: { cli: 'codex', hooks: false, agents: ['codex-2'] },
  opencodes: { cli: 'opencode', hooks: false, agents: ['opencode-1', 'opencode-2'] },
  gemini: { cli: 'gemini', hooks: true, agents: ['gemini-1'] },
  geminiWithout: { cli: 'gemini', hooks: false, agents: ['gemini-2'] },
  pi: { cli: 'pi', hooks: false, agents: ['pi-1'] },
}

/** Those that `lull hooks install` knows. */
export const hooked: readonly LabCli[] = labClis.filter(name =>
  (hookedNames as readonly string[]).includes(name),
)

export type Lane = {
  readonly name: string
  readonly place: Place
  readonly actors: readonly Actor[]
  readonly situations: readonly Situation[]
  readonly shared: SharedModel | undefined
}

/** Who plays what: a CLI, its agents of one folder and home, and the situations that they go through one after the other. */
export type Part = {
  readonly name: string
  readonly cli: LabCli
  readonly hooks: boolean
  readonly agents: readonly string[]
  readonly situations: readonly Situation[]
  /** Several of a home have one model where its address stands in their settings. */
  readonly sharesModel?: boolean
}

export const dayParts: readonly Part[] = (
  Object.entries(lanes) as [LaneName, (typeof lanes)[LaneName]][]
).map(([name, part]) => ({ name, ...part, situations: day[name] }))

/** @param env what lull runs with */
export async function gather(env: NodeJS.ProcessEnv, parts: readonly Part[]): Promise<Lane[]> {
  const gathered: Lane[] = []
  for (const { name, cli, hooks, agents, situations, sharesModel } of parts) {
    const shared = sharesModel ? await shareModel() : undefined
    const place = newPlace()
    const actors: Actor[] = []
    for (const [index, agent] of agents.entries()) {
      const before = hooks && index === 0 ? { before: installHooks(env, cli) } : {}
      actors.push(
        await newActor({ name: agent, cli, hooks, place, env, ...before, ...(shared ? { shared } : {}) }),
      )
    }
    gathered.push({ name, place, actors, situations, shared })
  }
  return gathered
}

const installHooks =
  (env: NodeJS.ProcessEnv, cli: LabCli): NonNullable<Options['before']> =>
  async (place, _, agent) => {
    const own = { ...env, HOME: place.home, XDG_DATA_HOME: `${place.home}/data` }
    const command = agent.command[0] as string
    const installed = await run(['hooks', 'install', cli, '--cli', command], own)
    if (installed.code !== 0) throw new Error(`hooks install: ${installed.stdout}${installed.stderr}`)
  }
