/** Makes a CLI start `lull mcp`, or removes that, or shows what would change. */
import path from 'node:path'
import { type AgentName, mcpNames } from '../../agents/agent-names.ts'
import type { McpPlan, ServerCommand } from '../../agents/kit/mcp-plan.ts'
import { agents } from '../../agents/registry.ts'
import { LullError } from '../../core/lull-error.ts'
import { carryOut, type FileChange, type Job, settings } from '../../hooks/install/install.ts'
import { belowHome, type InstallPlace, type Scope } from '../../hooks/install/settings-path.ts'
import { programOnPath } from '../../os/spawn/find-program.ts'
import { ownProgram } from '../../os/spawn/own-program.ts'
import { withoutServer, withoutTomlServer, withServer, withTomlServer } from './server-entry.ts'

export type ServerRequest = {
  readonly agent: AgentName
  readonly scope: Scope
  readonly where: InstallPlace
  /** Tell what would change, and change nothing. */
  readonly isDry: boolean
}

/** @throws {LullError} INSTALL_REFUSED where the file must be left as it is; USAGE where the CLI has no such file */
export const installServer = (request: ServerRequest): Promise<FileChange[]> => {
  const { plan, file } = placeOf(request)
  const entry = plan.entry(commandFor(request))
  const edit = (text: string | undefined) =>
    plan.format === 'toml'
      ? withTomlServer(text, file, plan.table, entry)
      : withServer(text, file, plan.table, entry)
  return carryOut([jobOf(plan, file, edit)], request)
}

/** @throws {LullError} INSTALL_REFUSED, USAGE */
export const uninstallServer = (request: ServerRequest): Promise<FileChange[]> => {
  const { plan, file } = placeOf(request)
  const edit = (text: string | undefined) => {
    if (text === undefined) return undefined
    return plan.format === 'toml'
      ? withoutTomlServer(text, file, plan.table)
      : withoutServer(text, file, plan.table)
  }
  return carryOut([jobOf(plan, file, edit)], request)
}

/** Which file is meant. @throws {LullError} USAGE */
export function placeOf({ agent, scope, where }: Omit<ServerRequest, 'isDry'>): {
  readonly plan: McpPlan
  readonly file: string
} {
  const plan = agents[agent].mcp
  if (!plan)
    throw new LullError(
      'USAGE',
      `${agent}: lull knows no place of its MCP servers; it does of ${mcpNames.join(', ')}`,
    )
  if (scope === 'user') return { plan, file: belowHome(plan.user, where.env) }
  if (!plan.project)
    throw new LullError('USAGE', `${agent} reads no MCP servers of a project: leave --project out`)
  return { plan, file: path.join(where.cwd, plan.project.path) }
}

/** A project's file is valid on other machines, too. */
function commandFor({ scope, where }: ServerRequest): ServerCommand {
  const isOnPath = programOnPath(['lull'], where.env.PATH) !== undefined
  if (scope === 'project' || isOnPath) return { command: 'lull', args: ['mcp'] }
  return { command: process.execPath, args: [ownProgram, 'mcp'] }
}

function jobOf(plan: McpPlan, file: string, edit: (text: string | undefined) => string | undefined): Job {
  if (plan.format === 'json') return { file, kind: settings(file, edit) }
  // Two versions of such a file can't be merged: the one that was written last wins.
  return { file, kind: { edit, mode: 0o600, merge: (_, theirs) => theirs, isWhole: () => true } }
}
