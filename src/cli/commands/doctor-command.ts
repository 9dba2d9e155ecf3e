/** `lull doctor`: what this machine lets lull see and do, what is missing where it does not, and what it knows of each agent. */

import os from 'node:os'
import { type Agent, agents } from '../../agents.ts'
import { type AbilityGroup, machineAbilities } from '../../connect/machine-abilities.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { Ability } from '../../process.ts'
import { jsonLine, lines, print } from '../ui/print.ts'

export async function doctorCommand(flags: { readonly json?: boolean }): Promise<void> {
  const groups = await machineAbilities()
  print(flags.json ? jsonLine(asJson(groups)) : lines(...asLines(groups)))
}

function asLines(groups: readonly AbilityGroup[]): readonly string[] {
  const each = groups.flatMap(({ title, checks }) => [title, ...checks.map(abilityLine), ''])
  const all = groups.flatMap(({ checks }) => checks)
  const missing = all.filter(({ works }) => !works).length
  const sum =
    missing === 0
      ? 'This machine allows everything that lull uses.'
      : `${missing} of ${all.length} ${missing === 1 ? 'is' : 'are'} missing; each line shows what lull cannot do without it.`
  const known = ['agents', ...Object.values(agents).map(agent => `  ${agentLine(agent)}`), '']
  return [...each, ...known, `${sum} lull hooks doctor checks the hooks of agents.`]
}

/** Whether what lull knows of it was seen where it ran, and from what else it comes. */
function agentLine({ name, hooks, screens: { version, unverified } }: Agent): string {
  const sources = hooks ? '' : ', only its screen'
  return version === undefined
    ? `· ${name}: unverified (${unverified ?? 'no reason given'})${sources}`
    : `✓ ${name}: checked on ${version}${sources}`
}

export const abilityLine = ({ name, works, why, lost }: Ability): string =>
  works ? `  ✓ ${name}` : `  ✗ ${oneLine(`${name}: ${why ?? 'it does not work'}; lost: ${lost}`, 1000)}`

const asJson = (groups: readonly AbilityGroup[]) => ({
  platform: process.platform,
  arch: process.arch,
  kernel: os.release(),
  node: process.version,
  works: groups.every(({ checks }) => checks.every(({ works }) => works)),
  groups,
  agents: Object.values(agents).map(({ name, hooks, screens: { version, unverified } }) => ({
    name,
    checkedOn: version ?? null,
    unverified: unverified ?? null,
    hasHooks: hooks !== undefined,
  })),
})
