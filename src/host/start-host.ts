/** Starts a host that outlives whoever started it, and waits until it answers. */

import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LullError } from '../core/lull-error.ts'
import { whyNot } from '../core/system-refusal.ts'
import { attempt } from '../os/attempt.ts'
import { makeOwnFolder, makeRuntime, type Places } from '../os/file/places.ts'
import { readAppended, unread } from '../os/file/tail-file.ts'
import { readArguments } from '../os/proc/command-line.ts'
import { ownProgram } from '../os/spawn/own-program.ts'
import { findHost, isFree, whyNoHost } from './find-host.ts'
import { runningHost } from './host-client.ts'
import type { HostStatus } from './messages.ts'

const mostStartMs = 10_000
const otherStartMs = 2000

/** The last line of a command that failed begins so. */
const sentence = 'lull: '

export const logFile = (places: Places): string => path.join(places.state, 'host.log')

/**
 * @returns the status of the host that runs now, whoever started it
 * @throws {LullError} HOST_GONE where none answers within 10 s (its log has the reason, if it can be written), BAD_PLACE where it has no place that is safe
 */
export async function startHost(places: Places, args: readonly string[] = []): Promise<HostStatus> {
  const found = await findHost(places)
  if (found.is === 'running') return found.status
  if (!isFree(found.is)) throw new LullError('HOST_GONE', whyNoHost(found, places))
  makeRuntime(places)
  makeOwnFolder(places.state)
  const file = logFile(places)
  const before = attempt(() => readAppended(unread(file)).next) ?? unread(file)
  const log = attempt(() => openSync(file, 'a', 0o600)) ?? 'ignore'
  // Where it takes the place of another, what that was asked for goes on.
  const older = found.is === 'older' && args.length === 0 ? argumentsOf(found.holder.pid) : args
  const child = spawn(process.execPath, [ownProgram, 'host', 'run', ...older], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: '/',
  })
  let deadline = performance.now() + mostStartMs
  let failure: Error | undefined
  child.once('error', error => {
    failure = error
  })
  // It ends at once where another one is just starting: that one answers soon.
  child.once('exit', () => {
    deadline = Math.min(deadline, performance.now() + otherStartMs)
  })
  child.unref()
  for (;;) {
    const status = await runningHost(places)
    if (status) return status
    if (failure) throw new LullError('HOST_GONE', `the host did not start: ${whyNot(failure)}`)
    if (performance.now() > deadline) {
      const lines = attempt(() => readAppended(before).lines) ?? []
      throw new LullError('HOST_GONE', `the host did not start: ${whyNotStarted(lines, file)}`)
    }
    await sleep(20)
  }
}

/** A log that could not be written (a full disk) is empty. */
function whyNotStarted(lines: readonly string[], file: string): string {
  if (lines.length === 0) return `its log ${file} stayed empty; run lull host run to see the reason here`
  const reported = lines.findLast(line => line.startsWith(sentence))
  return reported?.slice(sentence.length) ?? `see its log ${file}`
}

/** What follows `host run`. */
export function argumentsOf(pid: number): readonly string[] {
  const words = readArguments(pid)
  const run = words.indexOf('run')
  return words[run - 1] === 'host' ? words.slice(run + 1) : []
}
