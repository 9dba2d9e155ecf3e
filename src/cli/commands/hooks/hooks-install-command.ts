/** `lull hooks install|uninstall`: what it did, what it left out and why, or the diff of what it would do. */
import { type Agent, agents, type HookedAgent, hasHooks } from '../../../agents.ts'
import { exitCode } from '../../../core/exit-codes.ts'
import { isLullError, LullError } from '../../../core/lull-error.ts'
import { oneLine } from '../../../core/text/printable.ts'
import { missesBeside, removeForwarder, trustNoted } from '../../../hooks/install/after-uninstall.ts'
import { type CliProgram, findCli } from '../../../hooks/install/cli-program.ts'
import { foundAgents, hookedInScope } from '../../../hooks/install/found-agents.ts'
import { inspectHooks, senderOnPath } from '../../../hooks/install/inspect.ts'
import {
  type FileChange,
  type Installation,
  installHooks,
  type Request,
  uninstallHooks,
} from '../../../hooks/install/install.ts'
import { hookPath, type InstallPlace } from '../../../hooks/install/settings-path.ts'
import { agentNames, hookedNames, isAgentName, placesOf } from '../../../index.ts'
import { diffOf } from '../../ui/file-diff.ts'
import { asItIs, jsonLine, lines, note, print } from '../../ui/print.ts'

/** @throws {LullError} USAGE */
export function hookedAgent(name: string): HookedAgent {
  if (!isAgentName(name))
    throw new LullError('USAGE', `${name}: unknown agent; use one of ${agentNames.join(', ')}`)
  const agent = agents[name]
  if (!hasHooks(agent))
    throw new LullError(
      'USAGE',
      `${name}: lull has no hooks for this agent and reads its screen; agents with hooks: ${hookedNames.join(', ')}`,
    )
  return agent
}

type Flags = {
  readonly user?: boolean
  readonly project?: boolean
  readonly dryRun?: boolean
  readonly cli?: string
  readonly yes?: boolean
  readonly json?: boolean
}

type Verb = 'install' | 'uninstall'

/** Without a name: all that are found. */
export async function hooksCommand(verb: Verb, name: string | undefined, flags: Flags): Promise<void> {
  if (flags.user && flags.project)
    throw new LullError('USAGE', '--user and --project exclude each other; give one')
  const where: InstallPlace = { places: placesOf(), env: process.env, cwd: process.cwd() }
  const scope = flags.project ? 'project' : 'user'
  const isDry = flags.dryRun === true
  if (name === undefined) return allAgents(verb, { scope, where, isDry }, flags)
  const agent = hookedAgent(name)
  const program = verb === 'install' ? await findCli(agent, { given: flags.cli, mayRun: true }) : undefined
  if (flags.cli !== undefined && verb === 'install' && program === undefined) {
    throw new LullError('USAGE', `--cli ${flags.cli}: no such program`)
  }
  const alone = await carryOut(verb, { agent, scope, where, program, isDry })
  const [made = alone] = verb === 'install' ? [] : await withoutForwarder([alone], alone.request)
  if (flags.json) return void print(jsonLine(rowOf(verb, made)))
  // A diff goes to stdout alone, so that it can be used as one.
  if (isDry) printDiff([made], !process.stdout.isTTY)
  const say = (line: string) => (isDry ? note : print)(lines(oneLine(line, 1000)))
  for (const line of sentences(verb, made)) say(line)
  for (const note of made.notes) say(`note: ${note}`)
}

type Made = { readonly request: Request; readonly done: Installation; readonly notes: readonly string[] }

/** Rehearsed first: where one of its files must be left as it is, all are. */
async function carryOut(verb: Verb, request: Request): Promise<Made> {
  const act = verb === 'install' ? installHooks : uninstallHooks
  const rehearsed = await act({ ...request, isDry: true })
  const done = request.isDry ? rehearsed : await act(request)
  return { request, done, notes: verb === 'install' ? notesOn(request, done) : notesAfter(request, done) }
}

/** What the last hooks had in common goes with them. */
async function withoutForwarder(
  made: readonly Made[],
  common: Omit<Request, 'agent'>,
): Promise<readonly Made[]> {
  const removed = made.filter(({ done }) => done.changes.length > 0).map(({ request }) => request.agent)
  const gone = await removeForwarder(removed, common)
  if (!gone) return made
  const sentence = `${common.isDry ? 'would remove' : 'removed'} ${gone.file}; hooks in projects do nothing without it`
  return made.map((one, at) =>
    at < made.length - 1
      ? one
      : {
          ...one,
          done: { ...one.done, changes: [...one.done.changes, gone] },
          notes: [...one.notes, sentence],
        },
  )
}

function notesAfter({ agent, where }: Request, done: Installation): string[] {
  const noted = trustNoted(agent, where, done.changes)
  const kept = `${agent.name} keeps in ${noted} that you trusted these hooks; without them it has no effect`
  return [...keptNotes(done), ...(noted === undefined ? [] : [kept])]
}

type Refused = { readonly agent: string; readonly why: string }

async function allAgents(verb: Verb, common: Omit<Request, 'agent'>, flags: Flags): Promise<void> {
  if (flags.cli !== undefined)
    throw new LullError('USAGE', '--cli needs an agent: lull hooks install AGENT --cli PATH')
  const { scope, isDry } = common
  const isAsked = verb === 'install' && !isDry && !flags.json && !flags.yes && isPerson()
  if (isAsked && !(await isAgreed(await everyAgent(verb, { ...common, isDry: true })))) {
    print(lines('nothing was changed'))
    process.exitCode = exitCode.failed
    return
  }
  const { agents, made, refused } = await everyAgent(verb, common)
  if (refused.length > 0) process.exitCode = exitCode.failed
  if (flags.json) {
    const agents = made.map(one => rowOf(verb, one))
    const diff = changesOf(made).map(diffOf).join('')
    return void print(jsonLine({ action: verb, scope, dryRun: isDry, agents, refused, diff }))
  }
  if (!isAsked && !flags.yes) printDiff(made, isDry && !process.stdout.isTTY)
  const say = (line: string) => (isDry ? note : print)(lines(oneLine(line, 1000)))
  for (const one of made) for (const line of sentences(verb, one)) say(line)
  for (const { agent, why } of refused) note(lines(oneLine(`${agent}: not changed: ${why}`, 1000)))
  for (const text of new Set(made.flatMap(({ notes }) => notes))) say(`note: ${text}`)
  if (agents.length === 0) say(verb === 'install' ? noneFound : 'nothing to do; lull has no hooks installed')
  if (agents.length === 0 && verb === 'install') process.exitCode = exitCode.failed
}

const isPerson = (): boolean => process.stdin.isTTY && process.stdout.isTTY

/** True where nothing would change, too. */
async function isAgreed({ made }: Every): Promise<boolean> {
  if (changesOf(made).length === 0) return true
  const planned = made.map(({ request: { agent, program }, done: { events, changes } }) => ({
    named: nameOf(agent, program),
    events: events.length,
    changes,
  }))
  return (await import('./ask-first.ts')).isWanted(planned, () => printDiff(made, false))
}

type Every = {
  readonly agents: readonly HookedAgent[]
  readonly made: readonly Made[]
  readonly refused: readonly Refused[]
}

async function everyAgent(verb: Verb, common: Omit<Request, 'agent'>): Promise<Every> {
  const { scope, where } = common
  const agents = verb === 'install' ? foundAgents(where) : hookedInScope(scope, where)
  const each: Made[] = []
  const refused: Refused[] = []
  for (const agent of agents) {
    const program = verb === 'install' ? await findCli(agent, { mayRun: true }) : undefined
    try {
      each.push(await carryOut(verb, { ...common, agent, program }))
    } catch (error) {
      if (!isLullError(error, 'INSTALL_REFUSED')) throw error
      refused.push({ agent: agent.name, why: error.message })
    }
  }
  return { agents, made: verb === 'install' ? each : await withoutForwarder(each, common), refused }
}

const noneFound = `no agent with hooks found: none of ${hookedNames.join(', ')} is on the PATH, runs or has a settings folder; use lull hooks install AGENT --cli PATH`

/** What a person should know, besides what was done. */
function notesOn({ agent, scope, where, program }: Request, done: Installation): string[] {
  const { project, list, afterwards } = agent.hooks
  const file = hookPath(agent.hooks, scope, where)
  const { off } = inspectHooks(agent, scope, where, program)
  const notes = keptNotes(done)
  if (program?.behind !== undefined)
    notes.push(`${program.path} starts ${program.behind}, whose version decides`)
  if (program === undefined) {
    const only = list ? '; installed only the events that every version knows' : ''
    notes.push(
      `${agent.name} was found neither on the PATH nor by a session that runs${only}; use --cli PATH`,
    )
  }
  if (scope === 'project') {
    const effect = project.isShared
      ? 'is shared with everybody in this project; without lull it does nothing'
      : 'is for you alone; do not commit it'
    notes.push(`${file} ${effect}`)
    if (project.at === 'folder') notes.push(`${agent.name} reads it only if it starts in that folder`)
  }
  const missed = missesBeside(agent, scope, where)
  if (missed !== undefined) notes.push(missed)
  if (off !== undefined) notes.push(`${off}; no hook runs until you change that`)
  if (agent.hooks.format.kind !== 'module' && senderOnPath(where.env) === undefined) {
    notes.push('neither curl nor nc is installed, so hooks cannot send anything')
  }
  if (done.changes.length > 0) {
    if (afterwards !== undefined) notes.push(afterwards)
    notes.push('running sessions may need a restart to use them')
  }
  return notes
}

const keptNotes = ({ changes }: Installation): string[] =>
  changes.flatMap(({ file, kept }) =>
    kept === undefined ? [] : [`another program wrote ${file} at the same time; its version is ${kept}`],
  )

function rowOf(verb: Verb, { request, done, notes }: Made): object {
  const { agent, scope, where, program, isDry } = request
  const { events, leftOut, changes } = done
  return {
    agent: agent.name,
    action: verb,
    scope,
    file: hookPath(agent.hooks, scope, where),
    cli: program
      ? { path: program.path, version: program.version ?? null, behind: program.behind ?? null }
      : null,
    dryRun: isDry,
    changed: changes.map(({ file }) => file),
    events,
    leftOut,
    notes,
    ...(isDry ? { diff: changes.map(diffOf).join('') } : {}),
  }
}

function sentences(verb: Verb, { request, done }: Made): string[] {
  const first = verb === 'install' ? installedLine(request, done) : uninstalledLine(request, done)
  const left = [...reasons(done)].map(([why, events]) => `left out: ${events.join(', ')} (${why})`)
  return [first, ...left]
}

function installedLine({ agent, scope, where, program, isDry }: Request, done: Installation): string {
  const file = hookPath(agent.hooks, scope, where)
  const hooks = `hooks for ${done.events.length} events in ${file}`
  const named = nameOf(agent, program)
  if (done.changes.length === 0) return `${named}: nothing to do, ${hooks} are in place`
  return isDry ? `${named}: would install ${hooks}` : `${named}: installed ${hooks}`
}

function uninstalledLine({ agent, scope, where, isDry }: Request, { changes }: Installation): string {
  const file = hookPath(agent.hooks, scope, where)
  if (changes.length === 0) return `${agent.name}: nothing to do, no hooks of lull in ${file}`
  return `${agent.name}: ${isDry ? 'would remove' : 'removed'} lull's hooks from ${file}`
}

const nameOf = (agent: Agent, program: CliProgram | undefined): string =>
  program?.version === undefined ? agent.name : `${agent.name} ${program.version}`

/** The events that were left out, by reason. */
function reasons({ leftOut }: Installation): Map<string, string[]> {
  const byReason = new Map<string, string[]>()
  for (const { event, why } of leftOut) byReason.set(why, [...(byReason.get(why) ?? []), event])
  return byReason
}

/** What several share, the forwarder, once. */
function changesOf(made: readonly Made[]): readonly FileChange[] {
  const byFile = new Map(made.flatMap(({ done }) => done.changes.map(change => [change.file, change])))
  return [...byFile.values()]
}

/** @param isWhole for `patch`; people are shown what changes of theirs, and of what is new where it is */
function printDiff(made: readonly Made[], isWhole: boolean): void {
  const changes = changesOf(made)
  const isShown = ({ before }: FileChange) => isWhole || before !== undefined
  print(asItIs(changes.filter(isShown).map(diffOf).join('')))
  for (const { file, after = '' } of changes.filter(change => !isShown(change)))
    print(lines(`new: ${oneLine(file, 1000)} (${after.trimEnd().split('\n').length} lines)`))
}
