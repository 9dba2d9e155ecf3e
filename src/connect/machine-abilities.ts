/** What this machine allows, and what is lost where it does not. Nothing is created or changed to find out. */
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { oneLine } from '../core/text/printable.ts'
import { notifyFile } from '../notify/rules/read-rules.ts'
import { attempt } from '../os/attempt.ts'
import { type Places, placesOf, whyRefused, whyRuntimeRefused } from '../os/file/places.ts'
import { programOnPath } from '../os/spawn/find-program.ts'
import { type Ability, abilities } from '../process/abilities.ts'
import { systemTable } from '../sessions/discover/system-table.ts'
import { rulesFolderOf } from '../sessions/screens/rules-place.ts'
import { replsFileOf } from '../terminal/own-repls.ts'

export type AbilityGroup = { readonly title: string; readonly checks: readonly Ability[] }

export const machineAbilities = async (): Promise<readonly AbilityGroup[]> => [
  { title: 'processes', checks: [...(await abilities()), ...discovery()] },
  { title: 'programs', checks: programs().map(([name, lost]) => ability(name, lost, whyNoProgram(name))) },
  { title: 'terminals and files', checks: [await terminals(), ...files(placesOf())] },
  ...(await ownRules()),
  ...(await ownPrompts()),
  ...(await notifications()),
  ...(await statusLine()),
  ...(await statusLine()),
]

/** Only where there are some. */
async function ownRules(): Promise<readonly AbilityGroup[]> {
  if (!existsSync(rulesFolderOf(process.env))) return []
  const { checkRulesFiles } = await import('../sessions/screens/rules-by-agent.ts')
  const checks = checkRulesFiles(process.env, []).map(file =>
    ability(
      `rules for ${file.agent}`,
      'what they say of its screens: the rules of lull hold alone',
      'mistakes' in file ? file.mistakes.join('; ') : undefined,
    ),
  )
  return checks.length > 0 ? [{ title: 'your rules over screens', checks }] : []
}

/** Only if there is a repls.yaml. */
async function ownPrompts(): Promise<readonly AbilityGroup[]> {
  const file = replsFileOf(process.env)
  if (!existsSync(file)) return []
  const { readReplsFile } = await import('../terminal/repls-file.ts')
  const read = readReplsFile(file)
  const why = read && 'mistakes' in read ? read.mistakes.join('; ') : undefined
  return [{ title: 'your REPLs', checks: [ability('repls.yaml', 'REPLs that only you know', why)] }]
}

/** Only if there is a notify.yaml. */
async function notifications(): Promise<readonly AbilityGroup[]> {
  if (!existsSync(notifyFile(process.env))) return []
  const { notifyAbilities } = await import('./notify-abilities.ts')
  const checks = await notifyAbilities(process.env, placesOf())
  return checks.length > 0 ? [{ title: 'notifications', checks }] : []
}

/** Only where a tmux.conf asks for it. */
async function statusLine(): Promise<readonly AbilityGroup[]> {
  const { segmentAbilities } = await import('./notify-abilities.ts')
  const checks = await segmentAbilities(process.env, placesOf())
  return checks.length > 0 ? [{ title: 'the status line of tmux', checks }] : []
}

const ability = (name: string, lost: string, why: string | undefined): Ability =>
  why === undefined ? { name, works: true, lost } : { name, works: false, why, lost }

/** Only where something can't be found. */
function discovery(): readonly Ability[] {
  const why = systemTable().unsupportedReason()
  return why === undefined ? [] : [ability('agents', 'some or all of what `lull ps` shows on Linux', why)]
}

/** Programs that lull runs, and what is lost without them. */
const programs = (): readonly (readonly [name: string, lost: string])[] => [
  ['tmux', 'its panes: `lull go`, and waiting for what runs in them'],
  ...(systemTable().unsupportedReason() === undefined
    ? ([['dd', 'what panes print in passing: prompt marks, exit codes, lines that scroll by']] as const)
    : ([
        ['ps', 'processes: lull finds no agents, and only knows exits, signals and output of what it runs'],
        ['lsof', 'the folders of agents; what programs have open: input, locks and connections'],
      ] as const)),
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

function whyNotWritable(folder: string): string | undefined {
  if (!existsSync(folder)) return whyNotWritable(path.dirname(folder))
  const isWritable = attempt(() => accessSync(folder, constants.W_OK) ?? true) === true
  return isWritable ? undefined : `${folder} may not be written by this user`
}
