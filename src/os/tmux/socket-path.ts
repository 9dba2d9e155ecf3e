/**
 * Where the socket of a tmux server is, as tmux finds it itself, and which sockets lull connects to: those of this user's own
 * servers. The owner of a server decides what its commands do to the client, and anybody may name a socket: the environment of
 * a process, a pane, a person who copied a line.
 */
import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { userName, whoDecides } from '../../../bin/own-folder.js'
import { LullError } from '../../core/lull-error.ts'
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

type Env = Readonly<Record<string, string | undefined>>

/** Of the server around a program, by the program's environment. */
export const socketAround = ({ TMUX }: Env): string | undefined => TMUX?.split(',')[0] || undefined

/**
 * Of the server that `tmux -L name` means.
 * @param uid the owner of the server
 */
export const socketNamed = (name: string, env: Env, uid = process.getuid?.() ?? 0): string =>
  path.join(env.TMUX_TMPDIR || '/tmp', `tmux-${uid}`, name)

/** The name of the server that `tmux` alone starts. */
export const defaultName = 'default'

/**
 * The socket that is meant.
 * @param given the path of one (`-S`), or the name of one (`-L`); the server around this program where not given
 * @throws {LullError} USAGE where it is empty
 */
export function socketOf(given: string | undefined, env: Env): string {
  if (given === '')
    throw new LullError('USAGE', 'the tmux server has no name: give a name (tmux -L), or a path (tmux -S)')
  if (given?.includes('/')) return path.resolve(given)
  return (given === undefined ? socketAround(env) : undefined) ?? socketNamed(given ?? defaultName, env)
}

/** Two paths may lead to one socket. */
export function isSameSocket(a: string, b: string): boolean {
  const real = (file: string) => attempt(() => realpathSync(file)) ?? file
  return real(a) === real(b)
}
