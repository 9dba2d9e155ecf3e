/** Inspects lull's hooks in settings files. It reads the files each time, so the result is never out of date. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'jsonc-parser'
import { type AgentName, hookedNames } from '../../agents/agent-names.ts'
import { hookPlans } from '../../agents/hook-plans.ts'
import type { HookedPlan } from '../../agents/kit/hook-plan.ts'
import { isLullError } from '../../core/lull-error.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import type { CliProgram } from './cli-program.ts'
import { type Desired, desiredEvents, desiredFiles, desiredForwarder } from './desired.ts'
import { checkPlain, isSame } from './json-text.ts'
import { entriesIn } from './settings-entries.ts'
import { belowHome, hookPath, type InstallPlace, projectFolder, type Scope } from './settings-path.ts'
import { readText } from './settings-target.ts'

export type HookInspection = {
  readonly agent: AgentName
  readonly scope: Scope
  /** The file, or for programs the folder, that the CLI reads. */
  readonly file: string
  /** Events with hooks as an installation would write them now. */
  readonly inPlace: readonly string[]
  /** Events that an installation would add. */
  readonly missing: readonly string[]
  /** Events with hooks of lull from an older version or for another place. */
  readonly stale: readonly string[]
  /** Events with hooks of ours that the installed version does not know, or that lull no longer reads. */
  readonly unknown: readonly string[]
  /** Events in the place of which another program has a file. */
  readonly taken: readonly string[]
  /** Events with hooks that the CLI does not trust yet: they do not run. */
  readonly untrusted: readonly string[]
  /** Why the file can't be inspected or changed. */
  readonly problem?: string
  /** A setting that keeps the CLI from running these hooks. */
  readonly off?: string
}

type Part = Pick<HookInspection, 'inPlace' | 'missing' | 'stale' | 'unknown' | 'taken' | 'untrusted'>

const nothing: Part = { inPlace: [], missing: [], stale: [], unknown: [], taken: [], untrusted: [] }

/** @param program the installed CLI; without it, only events that every version knows are counted as missing */
export function inspectHooks(
  agent: HookedPlan,
  scope: Scope,
  where: InstallPlace,
  program: CliProgram | undefined,
): HookInspection {
  const file = hookPath(agent.hooks, scope, where)
  const all = agent.hooks.events.map(({ name }) => name)
  const known = desiredEvents(agent.hooks, program).events
  // Without a list, what may be known is not called unknown.
  const possible = program?.events === undefined ? all : known
  const base = { agent: agent.name, scope, file }
  try {
    const { format } = agent.hooks
    const text = format.kind === 'entries' && format.isPlainJson ? readText(file, file) : undefined
    if (text !== undefined) checkPlain(text.replace(/^\uFEFF/, ''), file)
    const part = compare(desiredFiles(agent, all, scope, where), known, possible)
    const off = switchedOff(agent, where)
    return {
      ...base,
      ...part,
      untrusted: untrustedIn(file, agent, where),
      ...(off === undefined ? {} : { off }),
    }
  } catch (error) {
    if (!isLullError(error, 'INSTALL_REFUSED')) throw error
    return { ...base, ...nothing, problem: error.message.replace(/[,;] nothing was changed$/, '') }
  }
}

/** Events with hooks in the file that are not noted as trusted. */
function untrustedIn(file: string, { hooks: { trust } }: HookedPlan, { env }: InstallPlace): string[] {
  const text = trust && readText(file, file)
  if (!trust || text === undefined) return []
  const noted = attempt(() => readText(belowHome(trust.notedIn, env), '')) ?? ''
  return entriesIn(text.replace(/^\uFEFF/, ''), file)
    .filter(({ event, at }) => !noted.includes(trust.note(file, event, at)))
    .map(({ event }) => event)
}

function compare(
  wanted: Desired,
  known: readonly string[],
  possible: readonly string[],
): Omit<Part, 'untrusted'> {
  const has = wanted.kind === 'entries' ? entriesNow(wanted) : filesNow(wanted)
  const isOurs = (event: string) => has.right.has(event) || has.older.has(event)
  const ours = [...new Set([...has.right, ...has.older])]
  return {
    inPlace: possible.filter(event => has.right.has(event) && !has.older.has(event)),
    stale: possible.filter(event => has.older.has(event)),
    missing: known.filter(event => !isOurs(event) && !has.taken.has(event)),
    unknown: ours.filter(event => !possible.includes(event)),
    taken: known.filter(event => has.taken.has(event)),
  }
}

type Now = {
  readonly right: ReadonlySet<string>
  readonly older: ReadonlySet<string>
  readonly taken: ReadonlySet<string>
}

function entriesNow({ file, entries }: Desired & { kind: 'entries' }): Now {
  const right = new Set<string>()
  const older = new Set<string>()
  const text = readText(file, file)?.replace(/^\uFEFF/, '')
  for (const { event, handler } of text === undefined ? [] : entriesIn(text, file)) {
    const isRight = isSame(handler, entries.handlers.get(event))
    const isKept = isRight || !entries.handlers.has(event)
    if (isKept && !right.has(event)) right.add(event)
    else older.add(event)
  }
  return { right, older, taken: new Set() }
}

function filesNow({ files }: Desired & { kind: 'files' }): Now {
  const right = new Set<string>()
  const older = new Set<string>()
  const taken = new Set<string>()
  for (const { file, text: wanted, mode, events, isOurs } of files) {
    const text = readText(file, file)
    if (text === undefined) continue
    const mayRun = (mode & 0o100) === 0 || attempt(() => accessSync(file, constants.X_OK) ?? true) === true
    const set = !isOurs(text) ? taken : text === wanted && mayRun ? right : older
    for (const event of events) set.add(event)
  }
  // An older lull did not put a file beside its module.
  if (files.some(({ file, events }) => events.length === 0 && readText(file, file) === undefined))
    for (const event of right) older.add(event)
  return { right, older, taken }
}

/** A setting, of the person, the project or the machine, that keeps the CLI from running hooks. */
function switchedOff({ hooks }: HookedPlan, where: InstallPlace): string | undefined {
  const { format } = hooks
  if (format.kind !== 'entries') return undefined
  const { switches, alsoSwitchedIn = [], switchedOff: list, handler } = format
  const also = alsoSwitchedIn.map(file => path.resolve(projectFolder(hooks, where.cwd), file))
  const files = new Set([hookPath(hooks, 'user', where), hookPath(hooks, 'project', where), ...also])
  for (const file of files) {
    const settings: unknown = attempt(() => parse(readText(file, file) ?? ''))
    const found = switches.find(({ path: at, off }) => valueAt(settings, at) === off)
    if (found) return `${found.path.join('.')} is ${found.off} in ${file}`
    const names = list && valueAt(settings, list)
    if (list && Array.isArray(names) && names.includes(handler.name)) {
      return `${list.join('.')} holds "${handler.name}" in ${file}`
    }
  }
  return undefined
}

const valueAt = (value: unknown, at: readonly string[]): unknown =>
  at.reduce((found, name) => (isRecord(found) ? found[name] : undefined), value)

export type ForwarderState = 'current' | 'old' | 'missing' | 'not executable' | 'not ours'

/** Whether the file that all commands run is in place. */
export function inspectForwarder({ places }: InstallPlace): ForwarderState {
  const { file, text: wanted, isOurs } = desiredForwarder(places)
  const text = attempt(() => readText(file, file))
  if (text === undefined) return 'missing'
  if (!isOurs(text)) return 'not ours'
  if ((statSync(file).mode & 0o100) === 0) return 'not executable'
  return text === wanted ? 'current' : 'old'
}

/** What the forwarder can send with. Without either nothing arrives. */
export function senderOnPath(env: InstallPlace['env']): 'curl' | 'nc' | undefined {
  const folders = ['/usr/bin', '/bin', ...(env.PATH ?? '').split(path.delimiter)]
  const names = new Set(folders.flatMap(folder => attempt(() => readdirSync(folder)) ?? []))
  return names.has('curl') ? 'curl' : names.has('nc') ? 'nc' : undefined
}

/**
 * Which agents have hooks of lull's, for the person and in the folder: whether a host would receive anything.
 * @param names the agents that are asked about (default: all)
 */
export const installedHooks = (
  where: InstallPlace,
  names: readonly string[] = hookedNames,
): readonly HookInspection[] =>
  inspectAll(where, names).filter(
    ({ inPlace, stale, unknown }) => inPlace.length + stale.length + unknown.length > 0,
  )

/** Unreadable settings: the CLI can't read them either. */
export const brokenSettings = (where: InstallPlace): readonly HookInspection[] =>
  inspectAll(where, hookedNames).filter(({ problem }) => problem !== undefined)

function inspectAll(where: InstallPlace, names: readonly string[]): HookInspection[] {
  const scopes: readonly Scope[] = ['user', 'project']
  return (
    hookPlans
      .filter(({ name }) => names.includes(name))
      .flatMap(agent => scopes.map(scope => inspectHooks(agent, scope, where, undefined)))
      // In the home folder, a project's file may be the person's own.
      .filter(({ file }, index, all) => all.findIndex(other => other.file === file) === index)
  )
}
