/** `lull doctor`: what this machine allows, and what lull does not know or can't do where it does not. */
import { accessSync, constants, existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { oneLine } from '../../core/explain/explain.ts'
import { attempt } from '../../os/attempt.ts'
import { type Places, placesOf, whyRefused, whyRuntimeRefused } from '../../os/file/places.ts'
import { programOnPath } from '../../os/spawn/find-program.ts'
import { type Ability, abilities } from '../../process/abilities.ts'

type Group = { readonly title: string; readonly checks: readonly Ability[] }

export async function doctorCommand(flags: { readonly json?: boolean }): Promise<void> {
  const groups: readonly Group[] = [
    { title: 'processes', checks: await abilities() },
    { title: 'programs', checks: programs.map(([name, lost]) => ability(name, lost, whyNoProgram(name))) },
    { title: 'terminals and files', checks: [await terminals(), ...files(placesOf())] },
  ]
  process.stdout.write(flags.json ? `${JSON.stringify(asJson(groups))}\n` : asText(groups))
}

const ability = (name: string, lost: string, why: string | undefined): Ability =>
  why === undefined ? { name, works: true, lost } : { name, works: false, why, lost }

/** What lull runs where it is there, and what is lost without it. */
const programs: readonly (readonly [name: string, lost: string])[] = [
  ['tmux', 'its panes: `lull go`, and waiting for what runs in them'],
  ...(process.platform === 'darwin'
    ? ([
        ['ps', 'processes: only exits, signals and output are known'],
        ['lsof', 'what programs have open: input, locks and connections'],
      ] as const)
    : ([['dd', 'what panes print in passing: prompt marks, exit codes, lines that scroll by']] as const)),
]

const whyNoProgram = (name: string): string | undefined =>
  programOnPath([name], process.env.PATH) === undefined ? 'it is not on PATH' : undefined

async function terminals(): Promise<Ability> {
  const lost = 'terminals of its own: `lull run --pty`'
  const why = await import('@lydell/node-pty').then(
    () => undefined,
    (error: Error) => `@lydell/node-pty could not be loaded: ${oneLine(error.message, 100)}`,
  )
  return ability('pseudo terminals', lost, why)
}

function files(places: Places): Ability[] {
  const { runtime, state } = places
  return [
    ability(
      'a folder for sockets',
      'the host, which hears hooks, and what others see of runs',
      whyRuntimeRefused(places) ?? whyNotWritable(runtime),
    ),
    ability('a folder for state', 'what the host remembers', whyRefused(state) ?? whyNotWritable(state)),
  ]
}

/** Looked at, not made. */
function whyNotWritable(folder: string): string | undefined {
  if (!existsSync(folder)) return whyNotWritable(path.dirname(folder))
  const isWritable = attempt(() => accessSync(folder, constants.W_OK) ?? true) === true
  return isWritable ? undefined : `${folder} may not be written by this user`
}

function asText(groups: readonly Group[]): string {
  const lines = groups.flatMap(({ title, checks }) => [title, ...checks.map(line), ''])
  const all = groups.flatMap(({ checks }) => checks)
  const missing = all.filter(({ works }) => !works).length
  const sum =
    missing === 0
      ? 'This machine allows all that lull makes use of.'
      : `${missing} of ${all.length} are missing: what is lost stands beside each.`
  return `${lines.join('\n')}${sum} lull hooks doctor checks the hooks of agents.\n`
}

const line = ({ name, works, why, lost }: Ability): string =>
  works ? `  ✓ ${name}` : `  ✗ ${oneLine(`${name}: ${why ?? 'it does not work'}; lost: ${lost}`, 1000)}`

const asJson = (groups: readonly Group[]) => ({
  platform: process.platform,
  arch: process.arch,
  kernel: os.release(),
  node: process.version,
  works: groups.every(({ checks }) => checks.every(({ works }) => works)),
  groups,
})
