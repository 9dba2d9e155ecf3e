/** Puts lull's skill where an agent reads skills, or takes it away again. */
import path from 'node:path'
import { type AgentName, skillNames } from '../../agents/agent-names.ts'
import { agents } from '../../agents/registry.ts'
import { LullError } from '../../core/lull-error.ts'
import { carryOut, type FileChange } from '../../hooks/install/install.ts'
import { ownFileInstalled, ownFileRemoved } from '../../hooks/install/own-file.ts'
import { belowHome, type InstallPlace, type Scope } from '../../hooks/install/settings-path.ts'
import { isSkillOfOurs, skillText } from './skill-text.ts'

export type SkillRequest = {
  readonly agent: AgentName
  readonly scope: Scope
  readonly where: InstallPlace
  readonly isDry: boolean
}

/** @throws {LullError} USAGE where lull knows no such folder of this agent */
export function skillFile({ agent, scope, where }: Omit<SkillRequest, 'isDry'>): string {
  const { skills } = agents[agent]
  if (!skills)
    throw new LullError(
      'USAGE',
      `${agent}: lull knows no folder of its skills; it does of ${skillNames.join(', ')}. lull skill show prints the text`,
    )
  const folder =
    scope === 'project' ? path.join(where.cwd, skills.project) : belowHome(skills.user, where.env)
  return path.join(folder, 'lull', 'SKILL.md')
}

const ownFile = (file: string) => ({ file, text: skillText, mode: 0o644, isOurs: isSkillOfOurs, events: [] })

/** @throws {LullError} INSTALL_REFUSED where another's file has that name; USAGE */
export function installSkill(request: SkillRequest): Promise<FileChange[]> {
  const file = skillFile(request)
  return carryOut([{ file, kind: ownFileInstalled(ownFile(file)) }], request)
}

/** @throws {LullError} INSTALL_REFUSED, USAGE */
export function uninstallSkill(request: SkillRequest): Promise<FileChange[]> {
  const file = skillFile(request)
  return carryOut([{ file, kind: ownFileRemoved(ownFile(file)) }], request)
}
