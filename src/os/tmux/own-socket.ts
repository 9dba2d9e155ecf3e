/**
 * Which tmux servers lull connects to: this user's own. Whoever owns a server decides what its commands do to the one who
 * asks, and anybody may name a socket: the environment of a process, a pane, a person who copied a line.
 */
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../attempt.ts'
import { userName, whyOthers } from '../file/own-path.ts'

/** Why this socket is not connected to, as a sentence; undefined where it may be, and where there is none. */
export function whyNotConnected(socket: string): string | undefined {
  const refused = (why: string): string => `lull does not connect to ${socket}: ${why}`
  if (!path.isAbsolute(socket)) return refused('it is no absolute path')
  const why = whyOthers(socket)
  if (why !== undefined) return refused(why)
  const stat = attempt(() => lstatSync(socket))
  if (!stat) return undefined
  if (stat.isSymbolicLink()) return refused('it is a link: name the socket itself')
  if (!stat.isSocket()) return refused('it is no socket')
  const own = process.getuid?.()
  return stat.uid === own ? undefined : refused(`it belongs to another user (${userName(stat.uid)})`)
}
