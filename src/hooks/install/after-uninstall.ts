/** What a person should know after an installation, what stays once hooks were taken out, and what goes with the last of them. */
import path from 'node:path'
import type { HookedAgent } from '../../agents/kit/agent.ts'
import { attempt } from '../../os/attempt.ts'
import { readPlainText } from '../../os/file/plain-file.ts'
import { desiredForwarder, ownFileRemoved } from './desired.ts'
import { removeEmptyFolders } from './empty-folders.ts'
import { hookedInScope } from './found-agents.ts'
import { carryOut, type FileChange, type Request } from './install.ts'
import { belowHome, hookPath, type InstallPlace } from './settings-path.ts'

/**
 * The forwarder goes with the last hooks of this user that call it. Those of projects do nothing without it.
 * @param removed the agents whose hooks went, or would go
 * @throws {LullError} INSTALL_REFUSED, BAD_PLACE
 */
export async function removeForwarder(
  removed: readonly HookedAgent[],
  { scope, where, isDry }: Pick<Request, 'scope' | 'where' | 'isDry'>,
): Promise<FileChange | undefined> {
  const left = hookedInScope('user', where).filter(agent => !removed.includes(agent))
  if (scope === 'project' || removed.length === 0 || left.length > 0) return undefined
  const forwarder = desiredForwarder(where.places)
  const jobs = [{ file: forwarder.file, kind: ownFileRemoved(forwarder) }]
  const [gone] = await carryOut(jobs, { where, isDry })
  if (gone && !isDry) removeEmptyFolders(gone.file, where)
  return gone
}

/** Why an installed module costs something: the person's own file stands in the place of one that would help. */
export function missesBeside(
  agent: HookedAgent,
  scope: Request['scope'],
  where: InstallPlace,
): string | undefined {
  const { format } = agent.hooks
  if (format.kind !== 'module' || !format.beside) return undefined
  const { path: name, lines, why } = format.beside
  const file = path.join(path.dirname(hookPath(agent.hooks, 'user', where)), name)
  const text = attempt(() => readPlainText(file)) ?? ''
  const has = lines.every(line =>
    text.split('\n').some(row => row.trim().startsWith(line.split('=')[0] ?? line)),
  )
  if (has) return undefined
  return scope === 'project' || text !== '' ? `${why}: put ${lines.join(' and ')} in ${file}` : undefined
}

/** The file in which an agent notes that a person trusts these hooks, where it does. */
export function trustNoted(
  { hooks: { trust } }: HookedAgent,
  { env }: InstallPlace,
  changes: readonly FileChange[],
): string | undefined {
  const file = trust && belowHome(trust.notedIn, env)
  const noted = file === undefined ? '' : (attempt(() => readPlainText(file)) ?? '')
  return changes.some(change => noted.includes(change.file)) ? file : undefined
}
