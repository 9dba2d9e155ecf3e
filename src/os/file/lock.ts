/**
 * A lock between processes of one user: a file that names its holder. It appears whole (as a link to a file that is written
 * already), and has no owner once its process is gone, which pid and start time show.
 *
 * Two processes may clear a dead holder's lock at once, and the slower one would remove the lock that the quicker one has just
 * taken. So clearing needs a lock of its own, named after the dead holder.
 */
import { linkSync, lstatSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { notWritten } from '../../core/error-sentence.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import { attempt } from '../attempt.ts'
import { hasCode } from '../error-code.ts'
import { isAlive, markOf, type ProcessMark } from '../proc/alive.ts'
import { uniqueName } from '../unique-name.ts'
import { checkRuntime, makeOwnFolder, placesOf } from './places.ts'
import { readPlainText } from './plain-file.ts'

/** Another sender may wait for a large paste to be read. */
const patienceMs = 30_000
/** Of a file. A longer path is known by its end. */
const longestName = 200

/**
 * Others wait until it is released.
 * @throws {LullError} LOCKED, BAD_PLACE where another one still types after half a minute
 */
export function lockPane(socket: string, pane: string): Promise<Lock> {
  const places = placesOf()
  checkRuntime(places)
  const folder = path.join(places.runtime, 'panes')
  makeOwnFolder(folder)
  const server = attempt(() => realpathSync(socket)) ?? socket
  const name = encodeURIComponent(server).slice(-longestName)
  return waitForLock(path.join(folder, `${name}-${pane.replace('%', '')}`), patienceMs)
}

export type Holder = ProcessMark & {
  /** One for each time the lock is taken. */
  readonly id: string
}

export type Lock = {
  readonly file: string
  /** Gives it back. Nothing happens where it is not held any more. */
  release(): void
}

/**
 * Takes a lock at once. Its folder must exist.
 * @throws {LullError} LOCKED where another living process holds it, BAD_PLACE where what has its name is no lock,
 *   REFUSED_FILE where none can be written
 */
export function acquireLock(file: string): Lock {
  const own: Holder = { ...markOf(process.pid), id: uniqueName() }
  const written = path.join(path.dirname(file), `.${own.id}`)
  try {
    writeFileSync(written, `${JSON.stringify(own)}\n`, { flag: 'wx', mode: 0o600 })
    for (;;) {
      if (isLinked(written, file)) return { file, release: () => giveBack(file, own) }
      mustBeFile(file)
      const holder = holderOf(file)
      if (holder === 'nobody') continue
      if (holder !== 'torn' && isAlive(holder) !== false)
        throw new LullError('LOCKED', `${file} is held by process ${holder.pid}`, { file, pid: holder.pid })
      clearDead(file, holder)
    }
  } catch (error) {
    throw notWritten(error, file)
  } finally {
    attempt(() => rmSync(written, { force: true }))
  }
}

/**
 * Takes a lock, and waits while others hold it.
 * @param patience ms
 * @throws {LullError} LOCKED where it is still held then
 */
export async function waitForLock(file: string, patience: number): Promise<Lock> {
  const from = performance.now()
  for (;;) {
    try {
      return acquireLock(file)
    } catch (error) {
      if (!isLullError(error, 'LOCKED') || performance.now() - from > patience) throw error
    }
    await pause(10)
  }
}

/** Who holds a lock; `torn` for a file without a holder (after a power cut). */
export function holderOf(file: string): Holder | 'nobody' | 'torn' {
  const text = readLock(file)
  if (text === undefined) return 'nobody'
  const holder = parseJson(text)
  if (!isRecord(holder) || typeof holder.pid !== 'number' || typeof holder.id !== 'string') return 'torn'
  if (!/^[\w-]{1,40}$/.test(holder.id)) return 'torn'
  return {
    pid: holder.pid,
    ...(typeof holder.start === 'string' ? { start: holder.start } : {}),
    id: holder.id,
  }
}

/** Undefined where there is none. What is there and can't be read would be waited for in vain. */
function readLock(file: string): string | undefined {
  try {
    return readPlainText(file, { most: 4096 })
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** A folder, a pipe, a link: no lull put it there, and it would be waited for in vain. */
function mustBeFile(file: string): void {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined || stat.isFile()) return
  throw new LullError('BAD_PLACE', `${file} is in the way of a lock, and is no file: remove it`)
}

/** Removes a dead one's lock, unless it has become a living one's. */
function clearDead(file: string, dead: Holder | 'torn'): void {
  const claim = acquireLock(`${file}.${dead === 'torn' ? dead : dead.id}`)
  try {
    const now = holderOf(file)
    if (idOf(now) === idOf(dead)) rmSync(file, { force: true })
  } finally {
    claim.release()
  }
}

const idOf = (holder: ReturnType<typeof holderOf>): string =>
  typeof holder === 'object' ? holder.id : holder

function giveBack(file: string, own: Holder): void {
  if (attempt(() => idOf(holderOf(file))) === own.id) rmSync(file, { force: true })
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}
