/** Where lull's own files lie: a folder for sockets, one for state, one for what hooks call. */

import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { LullError } from '../../core/lull-error.ts'
import { attempt } from '../attempt.ts'

export type Places = {
  /** Sockets and locks; emptied at boot. */
  readonly runtime: string
  /** The host's socket, which hooks and faces talk to. */
  readonly socket: string
  /** Where runs of agents are published that lull itself started. */
  readonly runs: string
  readonly state: string
  readonly data: string
  /** The forwarder that hooks run. */
  readonly forwarder: string
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * The places of a user. Programs started with less environment (from cron, by an agent) must come to the same ones, so
 * the runtime folder is looked for where `XDG_RUNTIME_DIR` would point even when it is not set.
 */
export function placesOf(env: Env = process.env): Places {
  const home = env.HOME || os.homedir()
  const state = path.join(env.XDG_STATE_HOME || path.join(home, '.local/state'), 'lull')
  const runtime = env.LULL_RUNTIME_DIR || notedRuntime(state) || runtimeFolder(env)
  const data = path.join(env.XDG_DATA_HOME || path.join(home, '.local/share'), 'lull')
  const [socket, runs] = [path.join(runtime, 'host.sock'), path.join(runtime, 'runs')]
  return { runtime, socket, runs, state, data, forwarder: path.join(data, 'hook') }
}

const noteOf = (state: string): string => path.join(state, 'runtime')

/**
 * Where a host of this user put its socket. A shell with another `XDG_RUNTIME_DIR`, or none, comes to the same host, and
 * to the socket that the installed hooks know.
 */
function notedRuntime(state: string): string | undefined {
  const noted = attempt(() => readFileSync(noteOf(state), 'utf8').trim())
  return noted !== undefined && isOwnFolder(noted) ? noted : undefined
}

/** To be called by the host, whose folders exist. */
export function noteRuntime({ runtime, state }: Places): void {
  if (process.env.LULL_RUNTIME_DIR) return
  writeFileSync(noteOf(state), `${runtime}\n`, { mode: 0o600 })
}

function runtimeFolder(env: Env): string {
  if (env.XDG_RUNTIME_DIR) return path.join(env.XDG_RUNTIME_DIR, 'lull')
  const uid = process.getuid?.() ?? 0
  const usual = `/run/user/${uid}`
  return isOwnFolder(usual) ? path.join(usual, 'lull') : path.join('/tmp', `lull-${uid}`)
}

function isOwnFolder(folder: string): boolean {
  const stat = attempt(() => lstatSync(folder))
  return stat?.isDirectory() === true && stat.uid === process.getuid?.()
}

/**
 * Makes a folder that only this user may enter.
 * @throws {LullError} BAD_PLACE where it can't be made, is another user's, or no folder
 */
export function makeOwnFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new LullError('BAD_PLACE', `${folder} can't be made: ${(error as Error).message}`)
  }
  if (!isOwnFolder(folder))
    throw new LullError(
      'BAD_PLACE',
      `${folder} is not a folder of this user: remove it, or set LULL_RUNTIME_DIR`,
    )
}
