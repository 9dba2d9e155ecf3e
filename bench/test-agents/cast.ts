/** Who plays: each CLI of the lab, with lull's hooks and without, at a place of its own. */

import { newActor } from '../day/actor.ts'
import { newPlace, type Place } from '../lab/place.ts'
import type { Options } from '../lab/run.ts'
import { run } from '../live/processes.ts'
import { facts, type PlayedCli, playedClis } from './facts.ts'
import { newPlayer, type Player } from './player.ts'

export type Member = {
  readonly name: string
  readonly cli: PlayedCli
  readonly hooks: boolean
  readonly place: Place
  readonly player: Player
}

/** The two of a CLI stand far from each other, so that they do not start at once. */
export async function gather(
  env: NodeJS.ProcessEnv,
  wanted: readonly PlayedCli[],
  kinds: readonly boolean[],
): Promise<Member[]> {
  const members: Member[] = []
  for (const hooks of kinds)
    for (const cli of playedClis.filter(each => wanted.includes(each) && !(hooks && facts[each].noHooks))) {
      const place = newPlace()
      const name = `${cli}-${hooks ? 'hooks' : 'without'}`
      const before = hooks ? { before: installHooks(env, cli) } : {}
      const actor = await newActor({ name, cli, hooks, place, env, ...before })
      members.push({ name, cli, hooks, place, player: newPlayer(actor, env) })
    }
  return members
}

export const installHooks =
  (env: NodeJS.ProcessEnv, cli: PlayedCli): NonNullable<Options['before']> =>
  async (place, _, agent) => {
    const own = { ...env, HOME: place.home, XDG_DATA_HOME: `${place.home}/data` }
    const installed = await run(['hooks', 'install', cli, '--cli', agent.command[0] as string], own)
    if (installed.code !== 0) throw new Error(`hooks install: ${installed.stdout}${installed.stderr}`)
  }
