/**
 * Which tmux servers lull connects to: this user's own. Whoever owns a server decides what its commands do to the one who
 * asks, and anybody may name a socket: the environment of a process, a pane, a person who copied a line.
 */
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { userName, whoDecides } from '../../../bin/own-folder.js'
import { attempt } from '../attempt.ts'

/** Nothing is there, and whoever comes first would be asked. */
export const isUnclaimed = (socket: string): boolean =>
  path.isAbsolute(socket) && whoDecides(socket) === 'anybody'

/** Why this socket is not connected to, as a sentence; undefined where it may be, and where there is none. */
export function whyNotConnected(socket: string): string | undefined {
  const refused = (why: string): string => `lull does not connect to ${socket}: ${why}`
  if (!path.isAbsolute(socket)) return refused('it is no absolute path')
  const decider = whoDecides(socket)
  if (decider === 'anybody') return refused('nobody has made it yet')
  if (typeof decider === 'object') return refused(decider.other)
  const stat = attempt(() => lstatSync(socket))
  if (!stat) return undefined
  if (stat.isSymbolicLink()) return refused('it is a link: name the socket itself')
  if (!stat.isSocket()) return refused('it is no socket')
  return stat.uid === process.getuid?.()
    ? undefined
    : refused(`it belongs to another user (${userName(stat.uid)})`)
}
