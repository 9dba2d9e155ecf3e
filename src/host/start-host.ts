/** Starts a host that outlives whoever started it, and waits until it answers. */

import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { LullError } from '../core/lull-error.ts'
import { makeOwnFolder, makeRuntime, type Places } from '../os/file/places.ts'
import type { HostStatus } from './host-app.ts'
import { runningHost } from './host-client.ts'

const bin = fileURLToPath(new URL('../../bin/lull.js', import.meta.url))
const mostStartMs = 10_000
const otherStartMs = 2000

export const logFile = (places: Places): string => path.join(places.state, 'host.log')

/**
 * @returns the status of the host that runs now, whoever started it
 * @throws {LullError} HOST_GONE where none answers within 10 s (its log says why), BAD_PLACE where it has no place that is safe
 */
export async function startHost(places: Places, args: readonly string[] = []): Promise<HostStatus> {
  const running = await runningHost(places)
  if (running) return running
  makeRuntime(places)
  makeOwnFolder(places.state)
  const log = openSync(logFile(places), 'a', 0o600)
  const child = spawn(process.execPath, [bin, 'host', 'run', ...args], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: '/',
  })
  let deadline = performance.now() + mostStartMs
  // It ends at once where another one is just starting: that one answers soon.
  child.once('exit', () => {
    deadline = Math.min(deadline, performance.now() + otherStartMs)
  })
  child.unref()
  for (;;) {
    const status = await runningHost(places)
    if (status) return status
    if (performance.now() > deadline) {
      throw new LullError('HOST_GONE', `the host did not start: its log ${logFile(places)} says why`)
    }
    await sleep(20)
  }
}
