/** Which file an agent reads its hooks from, for a person or for a project. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { HookFile, HookPlan } from '../../agents/kit/hook-plan.ts'
import { homeOf, type Places } from '../../os/file/places.ts'

export type Scope = 'user' | 'project'

/** Where an installation takes place. */
export type InstallPlace = {
  readonly places: Places
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of the project, or one below it. */
  readonly cwd: string
}

/** The file, or for programs the folder, that holds the hooks of a scope. */
export function hookPath(plan: HookPlan, scope: Scope, { env, cwd }: InstallPlace): string {
  if (scope === 'project') return path.join(projectFolder(plan, cwd), plan.project.path)
  return belowHome(plan.user, env)
}

/** The folder in which a CLI keeps what is the person's. */
export const configFolder = ({ user: { path: file, moved } }: HookPlan, env: InstallPlace['env']): string =>
  belowHome({ path: /^(\.config\/)?[^/]+/.exec(file)?.[0] ?? file, ...(moved ? { moved } : {}) }, env)

/** The root of the repository where the CLI looks there from any folder below it; else the folder itself. */
export function projectFolder({ project }: HookPlan, cwd: string): string {
  if (project.at === 'folder') return cwd
  for (let at = cwd; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at
    if (at === path.dirname(at)) return cwd
  }
}

/** A file of the person's. */
export function belowHome({ path: file, moved }: HookFile, env: InstallPlace['env']): string {
  const home = homeOf(env)
  const elsewhere = moved && env[moved.variable]
  if (!moved || !elsewhere) return path.join(home, file)
  return path.join(elsewhere, file.slice(moved.folder.length))
}
