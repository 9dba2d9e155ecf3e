/** `lull mcp install|uninstall AGENT` and `lull skill install|uninstall AGENT`: what it did, or the diff of what it would do. */
import type { AgentName } from '../../../agents.ts'
import { LullError } from '../../../core/lull-error.ts'
import { oneLine } from '../../../core/text/printable.ts'
import type { FileChange } from '../../../hooks/install/install.ts'
import type { InstallPlace, Scope } from '../../../hooks/install/settings-path.ts'
import { agentNames, isAgentName, placesOf } from '../../../index.ts'
import { installServer, placeOf, uninstallServer } from '../../../mcp/install/install-server.ts'
import { installSkill, skillFile, skillText, uninstallSkill } from '../../../mcp/skill/install-skill.ts'
import { diffOf } from '../../ui/file-diff.ts'
import { asItIs, jsonLine, lines, note, print } from '../../ui/print.ts'

export function skillShowCommand(): void {
  print(lines(...skillText.trimEnd().split('\n')))
}

export type InstallFlags = {
  readonly user?: boolean
  readonly project?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

type Request = {
  readonly agent: AgentName
  readonly scope: Scope
  readonly where: InstallPlace
  readonly isDry: boolean
}

type Kind = {
  /** As a sentence names it. */
  readonly what: string
  fileOf(request: Request): string
  install(request: Request): Promise<FileChange[]>
  uninstall(request: Request): Promise<FileChange[]>
}

const kinds = {
  mcp: {
    what: 'lull mcp',
    fileOf: request => placeOf(request).file,
    install: installServer,
    uninstall: uninstallServer,
  },
  skill: { what: 'lull’s skill', fileOf: skillFile, install: installSkill, uninstall: uninstallSkill },
} satisfies Readonly<Record<string, Kind>>

export async function installForAgent(
  kind: keyof typeof kinds,
  verb: 'install' | 'uninstall',
  agent: string,
  { user, project, dryRun = false, json = false }: InstallFlags,
): Promise<void> {
  if (!isAgentName(agent))
    throw new LullError('USAGE', `${oneLine(agent, 100)}: unknown agent; use one of ${agentNames.join(', ')}`)
  if (user && project) throw new LullError('USAGE', '--user and --project exclude each other; give one')
  const scope = project ? 'project' : 'user'
  const where = { places: placesOf(), env: process.env, cwd: process.cwd() }
  const request = { agent, scope, where, isDry: dryRun } as const
  const { what, fileOf } = kinds[kind]
  const file = fileOf(request)
  const changes = await kinds[kind][verb](request)
  const diff = dryRun ? changes.map(diffOf).join('') : ''
  if (json) {
    const changed = changes.map(change => change.file)
    print(jsonLine({ agent, action: verb, scope, file, dryRun, changed, ...(dryRun ? { diff } : {}) }))
    return
  }
  const say = (line: string) => (dryRun ? note : print)(lines(oneLine(line, 1000)))
  if (dryRun) print(asItIs(diff))
  say(`${agent}: ${doneOf(what, verb, dryRun, changes.length > 0)} ${file}`)
  if (changes.length > 0 && !dryRun) say(`note: running sessions ${inForce[verb]}`)
}

const inForce = { install: 'need a restart to use it', uninstall: 'keep it until they restart' } as const

function doneOf(what: string, verb: 'install' | 'uninstall', isDry: boolean, hasChanged: boolean): string {
  const isIn = verb === 'install'
  if (!hasChanged) return `nothing to do, ${isIn ? '' : 'no '}${what} is in`
  if (isIn) return `${isDry ? 'would add' : 'added'} ${what} to`
  return `${isDry ? 'would remove' : 'removed'} ${what} from`
}
