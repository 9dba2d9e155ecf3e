/** How a live session is named to people: short, on one line, and enough to address it again. */
import path from 'node:path'
import { oneLine } from '../core/text/printable.ts'
import type { LiveSession } from './session-source.ts'

/** A folder as people write it, with `~` for their own. Folder names are chosen by others: control characters go. */
export function shortFolder(folder: string, home: string): string {
  const isBelow = home !== '' && home !== '/' && (folder === home || folder.startsWith(`${home}/`))
  return oneLine(isBelow ? `~${folder.slice(home.length)}` : folder, 4096)
}

/** `claude 3f2a91bc (~/api)`: who is meant, in a sentence. A name that somebody gave stands in the id's place. */
export function nameOf({ agent, id, name = id, cwd }: LiveSession, home: string): string {
  return cwd === undefined ? `${agent} ${name}` : `${agent} ${name} (${shortFolder(cwd, home)})`
}

/** `3f2a91bc (claude, pid 123, ~/api)`: one of several, to choose from. */
export function entryOf({ agent, id, name, pid, cwd, owner, session }: LiveSession, home: string): string {
  const exited = session.verdict.state.kind === 'exited' ? ', exited' : ''
  const whose = owner === undefined ? '' : `, of ${oneLine(owner, 40)}`
  return `${id} (${name === undefined ? agent : `${agent} ${name}`}, pid ${pid}${whose}${cwd === undefined ? '' : `, ${shortFolder(cwd, home)}`}${exited})`
}

/** The names that a session answers to: the one it was given, its agent's, and its folder's. A terminal has only its own. */
export function namesOf({ agent, name, cwd }: LiveSession): readonly string[] {
  const given = name === undefined ? [] : [name]
  if (agent === 'terminal') return given
  return cwd === undefined ? [...given, agent] : [...given, agent, path.basename(cwd)]
}
