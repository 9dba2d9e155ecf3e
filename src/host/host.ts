/** The host itself: one process a user, with a socket, a lock and a log. It ends on SIGTERM, or when it is asked to. */
import { chmodSync, rmSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import type { HookReport } from '../hooks/hook-report.ts'
import { createReceiver } from '../hooks/receiver.ts'
import { acquireLock } from '../os/file/lock.ts'
import { makeOwnFolder, makeRuntime, noteRuntime, type Places } from '../os/file/places.ts'
import { socketOf } from '../os/tmux/socket-path.ts'
import { localSessions } from '../sessions/local-sessions.ts'
import { realClock } from '../track/clock.ts'
import { readToken } from './hook-token.ts'
import { createApp } from './host-app.ts'
import { logFile } from './start-host.ts'

export type HostOptions = {
  readonly places: Places
  readonly version: string
  /** Hooks over loopback TCP come to this port; none where it is taken, or not given. */
  readonly port?: number
  /**
   * Hears agents' panes in tmux, and answers one that asks for a terminal that takes its status: in each server, or in the one
   * with this socket or name alone.
   */
  readonly answers7501?: boolean | string
}

/**
 * Runs a host until it is asked to stop.
 * @throws {LullError} LOCKED where another one runs already, BAD_PLACE where its folders are not safely this user's
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
  const sessions = localSessions(clock, {
    stateFolder: places.state,
    runsFolder: places.runs,
    followsTerminals: true,
    receivesHooks: true,
    answers7501: typeof answers7501 === 'string' ? socketOf(answers7501, process.env) : answers7501,
  })
  let unplaced = 0
  const receive = (report: HookReport) => {
    if (sessions.receive(report) !== undefined) return
    unplaced++
    complain(
      `a hook of no running agent: ${report.agent} ${report.event}, from pid ${report.sender?.pids[0] ?? 'unknown'}`,
    )
  }
  const complain = sparingly(sentence => log.warn(sentence))
  const local = createReceiver(receive, undefined, complain)
  const remote = createReceiver(receive, readToken(places.state), complain)

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
    sessions: (await sessions.list()).length,
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

  const app = createApp({ sessions, status, stop }).route('/', local.routes)
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
  await sessions.close()
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
