/** `lull doctor`: what this machine allows, and what lull does not know or can't do where it does not. */
import { accessSync, constants, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { oneLine } from '../core/explain.ts'
import { attempt } from '../sense/attempt.ts'
import { type Places, placesOf } from '../sense/places.ts'
import { type Ability, abilities } from '../sense/process/abilities.ts'

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

function whyNoProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(folder => path.isAbsolute(folder))
  return folders.some(folder => isProgram(path.join(folder, name))) ? undefined : 'it is not on PATH'
}

const isProgram = (file: string): boolean =>
  attempt(() => {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  }) ?? false

async function terminals(): Promise<Ability> {
  const lost = 'terminals of its own: `lull run --pty`'
  const why = await import('@lydell/node-pty').then(
    () => undefined,
    (error: Error) => `@lydell/node-pty could not be loaded: ${oneLine(error.message, 100)}`,
  )
  return ability('pseudo terminals', lost, why)
}

function files({ runtime, state }: Places): Ability[] {
  return [
    ability(
      'a folder for sockets',
      'the host, which hears hooks, and what others see of runs',
      whyNotOurs(runtime),
    ),
    ability('a folder for state', 'what the host remembers', whyNotOurs(state)),
  ]
}

/** Looked at, not made. */
function whyNotOurs(folder: string): string | undefined {
  const stat = attempt(() => statSync(folder))
  const above = path.dirname(folder)
  if (!stat) return above === folder ? `${folder} is missing` : whyNotOurs(above)
  if (!stat.isDirectory()) return `${folder} is no folder`
  return whyNotWritable(folder)
}

const whyNotWritable = (folder: string): string | undefined =>
  attempt(() => {
    accessSync(folder, constants.W_OK)
    return true
  })
    ? undefined
    : `${folder} may not be written by this user`

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
