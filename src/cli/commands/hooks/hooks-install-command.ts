/** `lull hooks install|uninstall`: what it did, what it left out and why, or the diff of what it would do. */

import { createTwoFilesPatch } from 'diff'
import type { Agent } from '../../../agents.ts'
import { LullError } from '../../../core/lull-error.ts'
import { oneLine } from '../../../core/text/printable.ts'
import { type CliProgram, findCli } from '../../../hooks/install/cli-program.ts'
import { inspectHooks, senderOnPath } from '../../../hooks/install/inspect.ts'
import {
  type FileChange,
  type Installation,
  installHooks,
  type Request,
  uninstallHooks,
} from '../../../hooks/install/install.ts'
import { hookPath, type InstallPlace } from '../../../hooks/install/settings-path.ts'
import { placesOf } from '../../../index.ts'
import { asItIs, jsonLine, lines, note, print } from '../../ui/print.ts'
import { hookedAgent } from './hooked-agent.ts'

type Flags = {
  readonly user?: boolean
  readonly project?: boolean
  readonly dryRun?: boolean
  readonly cli?: string
  readonly json?: boolean
}

type Verb = 'install' | 'uninstall'

export async function hooksCommand(verb: Verb, name: string, flags: Flags): Promise<void> {
  const agent = hookedAgent(name)
  if (flags.user && flags.project) throw new LullError('USAGE', 'either --user or --project, not both')
  const where: InstallPlace = { places: placesOf(), env: process.env, cwd: process.cwd() }
  const program = verb === 'install' ? await findCli(agent, process.env, flags.cli) : undefined
  if (flags.cli !== undefined && verb === 'install' && program === undefined) {
    throw new LullError('USAGE', `--cli ${flags.cli}: there is no such program`)
  }
  const scope = flags.project ? 'project' : 'user'
  const request: Request = { agent, scope, where, program, isDry: flags.dryRun === true }
  const done = await (verb === 'install' ? installHooks : uninstallHooks)(request)
  const notes = verb === 'install' ? notesOn(request, done) : keptNotes(done)
  if (flags.json) printRow(verb, request, done, notes)
  else printSentences(verb, request, done, notes)
}

/** What a person should know, besides what was done. */
function notesOn({ agent, scope, where, program }: Request, done: Installation): string[] {
  const { project, list, afterwards } = agent.hooks
  const file = hookPath(agent.hooks, scope, where)
  const { off } = inspectHooks(agent, scope, where, program)
  const notes = keptNotes(done)
  if (program === undefined) {
    const only = list ? ': only events that every version knows were taken' : ''
    notes.push(`${agent.name} is not on the PATH${only}; --cli PATH tells where it is`)
  }
  if (scope === 'project') {
    const whose = project.isShared
      ? 'reaches everybody who shares this project; where lull is not installed it does nothing'
      : 'is yours alone: keep it out of what you share (git)'
    notes.push(`${file} ${whose}`)
    if (project.at === 'folder') notes.push(`${agent.name} reads it only when it is started in that folder`)
  }
  if (off !== undefined) notes.push(`${off}: until that is changed, no hook runs`)
  if (agent.hooks.format.kind !== 'module' && senderOnPath(where.env) === undefined) {
    notes.push('neither curl nor nc is installed: hooks run, but nothing can be sent')
  }
  if (done.changes.length > 0) {
    if (afterwards !== undefined) notes.push(afterwards)
    notes.push('sessions that run already may not take notice until they are started again')
  }
  return notes
}

const keptNotes = ({ changes }: Installation): string[] =>
  changes.flatMap(({ file, kept }) =>
    kept === undefined ? [] : [`another program was writing ${file}: its version was kept as ${kept}`],
  )

function printRow(verb: Verb, request: Request, done: Installation, notes: readonly string[]): void {
  const { agent, scope, where, program, isDry } = request
  const { events, leftOut, changes } = done
  const row = {
    agent: agent.name,
    action: verb,
    scope,
    file: hookPath(agent.hooks, scope, where),
    cli: program ? { path: program.path, version: program.version ?? null } : null,
    dryRun: isDry,
    changed: changes.map(({ file }) => file),
    events,
    leftOut,
    notes,
    ...(isDry ? { diff: changes.map(diffOf).join('') } : {}),
  }
  print(jsonLine(row))
}

/** A diff goes to stdout alone, so that it can be used as one. */
function printSentences(verb: Verb, request: Request, done: Installation, notes: readonly string[]): void {
  const say = (line: string) => (request.isDry ? note : print)(lines(oneLine(line, 1000)))
  if (request.isDry) print(asItIs(done.changes.map(diffOf).join('')))
  say(verb === 'install' ? installedLine(request, done) : uninstalledLine(request, done))
  for (const [why, events] of reasons(done)) say(`left out: ${events.join(', ')} (${why})`)
  for (const note of notes) say(`note: ${note}`)
}

function installedLine({ agent, scope, where, program, isDry }: Request, done: Installation): string {
  const file = hookPath(agent.hooks, scope, where)
  const hooks = `hooks for ${done.events.length} events in ${file}`
  const whose = nameOf(agent, program)
  if (done.changes.length === 0) return `${whose}: nothing to do, ${hooks} are in place`
  return isDry ? `${whose}: would install ${hooks}` : `${whose}: installed ${hooks}`
}

function uninstalledLine({ agent, scope, where, isDry }: Request, { changes }: Installation): string {
  const file = hookPath(agent.hooks, scope, where)
  if (changes.length === 0) return `${agent.name}: nothing to do, there are no hooks of lull's in ${file}`
  return `${agent.name}: ${isDry ? 'would take' : 'took'} lull's hooks out of ${file}`
}

const nameOf = (agent: Agent, program: CliProgram | undefined): string =>
  program?.version === undefined ? agent.name : `${agent.name} ${program.version}`

/** The events that were left out, by reason. */
function reasons({ leftOut }: Installation): Map<string, string[]> {
  const byReason = new Map<string, string[]>()
  for (const { event, why } of leftOut) byReason.set(why, [...(byReason.get(why) ?? []), event])
  return byReason
}

function diffOf({ file, before, after }: FileChange): string {
  const from = before === undefined ? '/dev/null' : file
  const to = after === undefined ? '/dev/null' : file
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, { context: 3 })
}
