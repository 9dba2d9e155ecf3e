/** The host itself: one process a user, with a socket, a lock and a log. It ends on SIGTERM, or when it is asked to. */
import { chmodSync, rmSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { acquireLock } from '../act/lock.ts'
import { createReceiver } from '../sense/hooks/receiver.ts'
import type { HookReport } from '../sense/hooks/report.ts'
import { makeOwnFolder, makeRuntime, noteRuntime, type Places } from '../sense/places.ts'
import { realClock } from '../track/clock.ts'
import { ownLive } from '../track/live/own.ts'
import { withRuns } from '../track/live/with-runs.ts'
import { withTerminals } from '../track/live/with-terminals.ts'
import { createApp } from './app.ts'
import { readToken } from './token.ts'

export type HostOptions = {
  readonly places: Places
  readonly version: string
  /** Hooks over loopback TCP come to this port; none where it is taken, or not given. */
  readonly port?: number
  /** Reads agents' panes in tmux, and answers Claude Code's question for a terminal that takes its status. */
  readonly answers7501?: boolean
}

export const logFile = (places: Places): string => path.join(places.state, 'host.log')

/**
 * Runs a host until it is asked to stop.
 * @throws {LockError} where another one runs already
 * @throws {PlaceError} where its folders are not safely this user's
 */
export async function runHost({ places, version, port, answers7501 = false }: HostOptions): Promise<void> {
  makeRuntime(places)
  makeOwnFolder(places.state)
  noteRuntime(places)
  const lock = acquireLock(path.join(places.runtime, 'host.lock'))
  const log = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination(logFile(places)),
  )
  const startedAt = Date.now()
  const clock = realClock(true)
  const own = ownLive(clock, { stateFolder: places.state, hearsHooks: true, answers7501 })
  const live = withTerminals(withRuns(own, places.runs, clock), places.state, clock)
  let unplaced = 0
  const hear = (report: HookReport) => {
    if (live.hear(report) !== undefined) return
    unplaced++
    complain(
      `a hook of no running agent: ${report.agent} ${report.event}, from pid ${report.sender?.pids[0] ?? 'unknown'}`,
    )
  }
  const complain = sparingly(sentence => log.warn(sentence))
  const local = createReceiver(hear, undefined, complain)
  const remote = createReceiver(hear, readToken(places.state), complain)

  let stop = () => {}
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  let listening: number | undefined
  let portProblem: string | undefined
  const status = async () => ({
    pid: process.pid,
    version,
    startedAt,
    sessions: (await live.list()).length,
    hooks: {
      received: local.counts.received + remote.counts.received,
      refused: local.counts.refused + remote.counts.refused,
      unauthorised: remote.counts.unauthorised,
      unplaced,
      ...(local.counts.probe === undefined ? {} : { probe: local.counts.probe }),
    },
    ...(listening === undefined ? {} : { port: listening }),
    ...(portProblem === undefined ? {} : { portProblem }),
  })

  const app = createApp({ live, status, stop }).route('/', local.routes)
  // The lock is ours: a socket that stands there is a dead host's.
  rmSync(places.socket, { force: true })
  const server = await listen(app.fetch, { path: places.socket })
  chmodSync(places.socket, 0o600)
  const tcp =
    port === undefined
      ? undefined
      : await listen(remote.routes.fetch, { port, host: '127.0.0.1' }).catch((error: Error) => {
          portProblem = `no hooks over TCP: ${error.message}`
          complain(portProblem)
          return undefined
        })
  listening = tcp ? port : undefined
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stop())
  log.info({ pid: process.pid, version, socket: places.socket, port: listening }, 'the host runs')

  await stopped
  log.info('the host stops')
  await live.close()
  for (const open of [server, tcp]) {
    open?.close()
    open?.closeAllConnections()
  }
  rmSync(places.socket, { force: true })
  lock.release()
}

const mostComplaints = 20
const complaintsEveryMs = 60_000

/** A flood of bad hooks must not become a flood of log lines. */
function sparingly(write: (sentence: string) => void): (sentence: string) => void {
  let count = 0
  let since = performance.now()
  return sentence => {
    if (performance.now() > since + complaintsEveryMs) {
      if (count > mostComplaints) write(`… and ${count - mostComplaints} more like these`)
      count = 0
      since = performance.now()
    }
    count++
    if (count <= mostComplaints) write(sentence)
  }
}

function listen(
  fetch: Parameters<typeof getRequestListener>[0],
  address: { path: string } | { port: number; host: string },
): Promise<http.Server> {
  const server = http.createServer(getRequestListener(fetch))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => resolve(server))
  })
}
