/** Starts a terminal server that outlives whoever started it, and waits until it answers. */
import { openSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isLullError, LullError } from '../core/lull-error.ts'
import { whyNot } from '../core/system-refusal.ts'
import { attempt } from '../os/attempt.ts'
import { holderOf } from '../os/file/lock.ts'
import { makeOwnFolder, makeRuntime, type Places } from '../os/file/places.ts'
import { readPlainText } from '../os/file/plain-file.ts'
import { isAlive } from '../os/proc/alive.ts'
import { readStat } from '../os/proc/stat.ts'
import { ownProgram } from '../os/spawn/own-program.ts'
import { type ServerStatus, terminalProtocol } from './terminal-messages.ts'
import { terminalRequests } from './terminal-requests.ts'
import { serverLock } from './terminals-note.ts'

const mostStartMs = 10_000
const againMs = 20

/** It lives long and computes much: Node would rather take 10 MB a terminal than look for what is free (3 MB). */
const thrifty = ['--max-semi-space-size=1', '--optimize-for-size']

const logOf = ({ state }: Places): string => path.join(state, 'terminals.log')

/** The server that answers, if one does. @throws {LullError} TERMINALS_GONE where one runs and does not answer */
export async function runningServer(places: Places): Promise<ServerStatus | undefined> {
  const status = await terminalRequests(places.terminals)
    .status()
    .catch((error: Error) => error)
  if (!(status instanceof Error)) return status
  if (!isLullError(status, 'TERMINALS_GONE')) throw status
  const pid = holderPid(places)
  if (pid === undefined) return undefined
  throw new LullError(
    'TERMINALS_GONE',
    isStopped(pid) ? stopped(pid) : `the terminal server (pid ${pid}) does not answer`,
  )
}

function holderPid(places: Places): number | undefined {
  const holder = holderOf(serverLock(places))
  return typeof holder === 'object' && isAlive(holder) !== false ? holder.pid : undefined
}

const isStopped = (pid: number): boolean => /^[Tt]$/.test(readStat(pid)?.state ?? '')

const stopped = (pid: number): string =>
  `the terminal server (pid ${pid}) does not answer, as it is stopped: kill -CONT ${pid} lets it go on`

/** @throws {LullError} TERMINALS_GONE, BAD_PLACE */
export async function startServer(places: Places): Promise<ServerStatus> {
  makeRuntime(places)
  makeOwnFolder(places.state)
  const before = holderPid(places)
  if (before !== undefined && isStopped(before)) throw new LullError('TERMINALS_GONE', stopped(before))
  const found = await runningServer(places).catch(whileStarting)
  if (found) return understood(found)
  const log = attempt(() => openSync(logOf(places), 'w', 0o600)) ?? 'ignore'
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(process.execPath, [...thrifty, ownProgram, 'terminals', 'run'], {
    ...{ detached: true, stdio: ['ignore', log, log] as const, cwd: '/' },
  })
  let failure: Error | undefined
  child.once('error', error => {
    failure = error
  })
  child.unref()
  const deadline = performance.now() + mostStartMs
  for (;;) {
    const status = await runningServer(places).catch(whileStarting)
    if (status) return understood(status)
    if (failure)
      throw new LullError('TERMINALS_GONE', `the terminal server did not start: ${whyNot(failure)}`)
    // Where another one is just starting, this one ends at once, and that one answers soon.
    if (performance.now() > deadline)
      throw new LullError('TERMINALS_GONE', `the terminal server did not start: ${lastLineIn(logOf(places))}`)
    await pause(againMs)
  }
}

/** It holds the lock already, and does not listen yet. */
function whileStarting(error: unknown): undefined {
  if (!isLullError(error, 'TERMINALS_GONE')) throw error
  return undefined
}

function understood(status: ServerStatus): ServerStatus {
  if (status.protocol === terminalProtocol) return status
  throw new LullError(
    'TERMINALS_GONE',
    `the terminal server (pid ${status.pid}) is of another lull (${status.version}): lull terminals stop ends it, with what runs in its ${status.terminals} terminals`,
  )
}

function lastLineIn(file: string): string {
  const text = attempt(() => readPlainText(file).trim()) ?? ''
  const last = text.split('\n').at(-1) ?? ''
  return last === '' ? `its log ${file} stayed empty` : last.replace(/^lull: /, '')
}
