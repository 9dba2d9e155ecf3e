/** Where lull's own files lie: a folder for sockets, one for state, one for what hooks call. */

import { existsSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { makeFolder } from '../../../bin/make-folder.js'
import { standingOf } from '../../../bin/own-folder.js'
import { LullError } from '../../core/lull-error.ts'
import { whyNot } from '../../core/system-refusal.ts'
import { attempt } from '../attempt.ts'
import { readPlainText } from './plain-file.ts'

export type Places = {
  /** Sockets and locks; usually emptied at boot. */
  readonly runtime: string
  /** The host's socket, which hooks and commands connect to. */
  readonly socket: string
  /** The socket of the process that holds lull's own terminals. */
  readonly terminals: string
  /** Where runs of agents are published that lull itself started. */
  readonly runs: string
  /** Where the respawns that run are found. */
  readonly respawns: string
  readonly state: string
  /** Where each host notes its runtime folder while it runs. */
  readonly hosts: string
  readonly data: string
  /** The forwarder that hooks run. */
  readonly forwarder: string
}

export type Env = Readonly<Record<string, string | undefined>>

/** An empty HOME counts as unset: lull's folders would be relative to the current one. */
export const homeOf = (env: Env): string =>
  env.HOME || os.homedir() || attempt(() => os.userInfo().homedir) || '/'

/** What a person writes for lull. */
export const configFolderOf = (env: Env): string =>
  path.resolve(env.XDG_CONFIG_HOME || path.join(homeOf(env), '.config'), 'lull')

/**
 * The places of a user. Programs started with less environment (from cron, by an agent) must come to the same ones, so
 * the runtime folder is looked for where `XDG_RUNTIME_DIR` would point even when it is not set. Nothing is checked here.
 */
export function placesOf(env: Env = process.env): Places {
  const home = homeOf(env)
  const state = path.join(env.XDG_STATE_HOME || path.join(home, '.local/state'), 'lull')
  const runtime = env.LULL_RUNTIME_DIR || notedRuntime(state) || runtimeFolder(env, state)
  const data = path.join(env.XDG_DATA_HOME || path.join(home, '.local/share'), 'lull')
  const [socket, runs] = [socketIn(runtime), path.join(runtime, 'runs')]
  const terminals = path.join(runtime, 'terminals.sock')
  const respawns = path.join(runtime, 'respawn')
  const [hosts, forwarder] = [path.join(state, 'hosts'), path.join(data, 'hook')]
  return { runtime, socket, terminals, runs, respawns, state, hosts, data, forwarder }
}

const socketIn = (runtime: string): string => path.join(runtime, 'host.sock')
const noteOf = (state: string): string => path.join(state, 'runtime')
/** Where there is no folder for what runs: /tmp would be anybody's who comes first. */
const lastResort = (state: string): string => path.join(state, 'run')

/**
 * Where a host of this user put its socket. A shell with another `XDG_RUNTIME_DIR`, or none, comes to the same host, and
 * to the socket that the installed hooks know. The last resort, which outlives every boot, and a place in a folder of all
 * (/tmp, where an older lull had it) count only while a host is in them.
 */
function notedRuntime(state: string): string | undefined {
  const noted = attempt(() => readPlainText(noteOf(state), { most: 4096 }).trim())
  if (noted === undefined || standingOf(noted) !== 'own') return undefined
  const isUsual = noted !== lastResort(state) && standingOf(path.dirname(noted)) === 'own'
  return isUsual || existsSync(socketIn(noted)) ? noted : undefined
}

/** The host calls it once its folders exist. If it can't be noted, only shells without these variables look elsewhere. */
export function noteRuntime({ runtime, state }: Places): void {
  if (process.env.LULL_RUNTIME_DIR) return
  attempt(() => writeFileSync(noteOf(state), `${runtime}\n`, { mode: 0o600 }))
}

function runtimeFolder({ XDG_RUNTIME_DIR: xdgFolder }: Env, state: string): string {
  const usual = [xdgFolder, `/run/user/${process.getuid?.() ?? 0}`].find(
    folder => folder && standingOf(folder) === 'own',
  )
  return usual ? path.join(usual, 'lull') : lastResort(state)
}

/** As much as the kernel takes as the path of a socket: 108 bytes on Linux, 104 on macOS, with a 0 at the end. */
const mostSocketBytes = process.platform === 'darwin' ? 103 : 107

/**
 * Makes the runtime folder, where a host can listen and nobody else interferes.
 * @throws {LullError} BAD_PLACE where that can't be
 */
export function makeRuntime(places: Places): void {
  checkRuntime(places)
  makeOwnFolder(places.runtime)
  const why = whyNoSocket(places)
  if (why !== undefined) throw new LullError('BAD_PLACE', why)
}

/** Why nobody can listen there: of the sockets that everybody needs the longest counts. */
export function whyNoSocket({ terminals }: Places, socket = terminals): string | undefined {
  const bytes = Buffer.byteLength(socket)
  return bytes > mostSocketBytes
    ? `${socket} is too long for a socket (${bytes} bytes, at most ${mostSocketBytes}): set LULL_RUNTIME_DIR to a shorter path`
    : undefined
}

/**
 * To be called before anything in the runtime folder is used: it must be this user's alone, or not exist yet.
 * @throws {LullError} BAD_PLACE where it is not
 */
export function checkRuntime(places: Places): void {
  const why = whyRuntimeRefused(places)
  if (why !== undefined) throw new LullError('BAD_PLACE', why)
}

export function whyRuntimeRefused({ runtime, runs }: Places): string | undefined {
  const why = whyRefused(runtime) ?? whyRefused(runs)
  return why && `${why}; LULL_RUNTIME_DIR can name another folder`
}

/** Why a folder is, or could become, another user's. */
export function whyRefused(folder: string): string | undefined {
  const standing = standingOf(folder)
  return typeof standing === 'object' ? standing.refused : undefined
}

/**
 * Whether a folder is there.
 * @throws {LullError} BAD_PLACE where it is, or could become, another user's
 */
export function hasOwnFolder(folder: string): boolean {
  const standing = standingOf(folder)
  if (typeof standing === 'object') throw new LullError('BAD_PLACE', standing.refused)
  return standing === 'own'
}

/**
 * Makes a folder that only this user may enter.
 * @throws {LullError} BAD_PLACE where it can't be made, or is not safely this user's
 */
export function makeOwnFolder(folder: string): void {
  if (hasOwnFolder(folder)) return
  try {
    makeFolder(folder, 0o700)
  } catch (error) {
    throw new LullError('BAD_PLACE', `${folder} can't be made: ${whyNot(error)}`)
  }
  if (!hasOwnFolder(folder)) throw new LullError('BAD_PLACE', `${folder} was made, and is gone`)
}
