/** How a live session is named to people: short, on one line, and enough to address it again. */
import path from 'node:path'
import { oneLine } from '../core/text/printable.ts'
import { defaultName } from '../os/tmux/socket-path.ts'
import type { LiveSession } from './session-source.ts'

/** A folder as people write it, with `~` for their own. Folder names are chosen by others: control characters go. */
export function shortFolder(folder: string, home: string): string {
  const isBelow = home !== '' && home !== '/' && (folder === home || folder.startsWith(`${home}/`))
  return oneLine(isBelow ? `~${folder.slice(home.length)}` : folder, 4096)
}

/**
 * Where a person finds it: the terminal's name, `main:2.1 api` of a pane in tmux, else the pane's id; empty where it is in none.
 * A tmux server other than the default one is named as tmux takes it: `main:2.1 (-L work) api`.
 */
export function whereOf({ terminal, place, window, pane, tmux }: LiveSession): string {
  if (terminal !== undefined) return oneLine(terminal, 60)
  if (place === undefined && pane === undefined) return ''
  const words = [place ?? pane, tmux && serverFlag(tmux), place === undefined ? undefined : window]
  return oneLine(words.filter(Boolean).join(' '), 60)
}

/** Sockets of `tmux -L` lie in a folder `tmux-UID`, in /tmp where TMUX_TMPDIR does not say otherwise. */
function serverFlag(socket: string): string | undefined {
  const [, folder, name] = /^(.*)\/tmux-\d+\/([^/]+)$/.exec(socket) ?? []
  if (name === defaultName) return undefined
  return folder === '/tmp' ? `(-L ${name})` : `(-S ${socket})`
}

/** What it is about: the first words of the newest prompt; else the agent's own title. Empty where neither is known. */
export const topicOf = ({ title, session: { facts } }: LiveSession): string =>
  oneLine(facts.prompt ?? title ?? '', 100)

/** Not of a session, but of a box that can't be asked: `@box1`. */
export const isBoxRow = ({ id }: LiveSession): boolean => id.startsWith('@')

/** `claude 3f2a91bc (~/api)`: a session in a sentence. A name that a person gave replaces the id. */
export function nameOf({ agent, id, name = id, cwd }: LiveSession, home: string): string {
  return cwd === undefined ? `${agent} ${name}` : `${agent} ${name} (${shortFolder(cwd, home)})`
}

/** `3f2a91bc (claude, main:2.1, pid 123, ~/api, “fix the login”)`: one of several, to choose from. */
export function entryOf(live: LiveSession, home: string): string {
  const { agent, id, name, pid, cwd, owner, session } = live
  const topic = topicOf(live)
  const parts = [
    name === undefined ? agent : `${agent} ${name}`,
    whereOf(live),
    `pid ${pid}`,
    owner === undefined ? '' : `of ${oneLine(owner, 40)}`,
    cwd === undefined ? '' : shortFolder(cwd, home),
    topic && `“${oneLine(topic, 40)}”`,
    session.verdict.state.kind === 'exited' ? 'exited' : '',
  ]
  return `${id} (${parts.filter(part => part !== '').join(', ')})`
}

/** The names that a session answers to: the one it was given, its agent's, and its folder's. A terminal has only its own. */
export function namesOf({ agent, name, cwd }: LiveSession): readonly string[] {
  const given = name === undefined ? [] : [name]
  if (agent === 'terminal') return given
  return cwd === undefined ? [...given, agent] : [...given, agent, path.basename(cwd)]
}
