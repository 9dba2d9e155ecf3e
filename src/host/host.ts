/** The host itself: one process a user, with a socket, a lock and a log. It ends on SIGTERM, or when it is asked to. */

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import type { Clock, Timer } from '../core/clock.ts'
import { defined } from '../core/defined.ts'
import { noteHost } from '../hooks/host-notes.ts'
import type { HookCounts, HookReport } from '../hooks/receiver.ts'
import { createReceiver } from '../hooks/receiver.ts'
import { type HeldNotify, holdNotify } from '../notify/hold-notify.ts'
import { attempt } from '../os/attempt.ts'
import { makeOwnFolder, makeRuntime, noteRuntime, type Places } from '../os/file/places.ts'
import { readPlainText } from '../os/file/plain-file.ts'
import { socketOf } from '../os/tmux/socket-path.ts'
import { pushSegment } from '../segment/push-segment.ts'
import { keepPast } from '../sessions/history/keep-past.ts'
import { type LocalSessions, localSessions } from '../sessions/local-sessions.ts'
import { nextBeat, realClock } from '../track/clock.ts'
import { heldRequests } from './held-requests.ts'
import { createApp } from './host-app.ts'
import type { HostDoor } from './host-door.ts'
import { type Complain, sparingly } from './log-quota.ts'
import { type HostStatus, protocol } from './messages.ts'
import { logFile } from './start-host.ts'
import { type HostPlace, takePlace } from './take-place.ts'

export type DoorPorts = {
  readonly sessions: LocalSessions
  readonly places: Places
  readonly clock: Clock
  readonly version: string
  status(): Promise<HostStatus>
  /** Takes a hook as one from a forwarder. @returns its session; none where no running agent can have sent it */
  receive(report: HookReport): string | undefined
  readonly complain: Complain
}

/** Given to the host by the command that runs it: the host's room knows nothing of the API. */
type MakeDoor = (ports: DoorPorts) => HostDoor

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
  /** Makes the door of the API; there is none where not given. */
  readonly makeDoor?: MakeDoor
}

/**
 * Runs a host until it is asked to stop.
 * @throws {LullError} LOCKED where another one runs already, BAD_PLACE where its folders are not safely this user's
 */
export async function runHost(options: HostOptions): Promise<void> {
  const { places, version, port, answers7501 = false, makeDoor } = options
  makeRuntime(places)
  makeOwnFolder(places.state)
  noteRuntime(places)
  const token = readToken(places.state)
  let answer: (request: Request) => Response | Promise<Response>
  const place = await takePlace(places, socket => listen(request => answer(request), { path: socket }))
  const forgetNote = noteHost(places)
  const log = openLog(places)
  const startedAt = new Date().toISOString()
  const complain = sparingly(sentence => log.warn(sentence))
  const clock = realClock(true)
  const local = localSessions(clock, {
    stateFolder: places.state,
    runsFolder: places.runs,
    respawnsFolder: places.respawns,
    followsTerminals: true,
    receivesHooks: true,
    complain,
    answers7501: typeof answers7501 === 'string' ? socketOf(answers7501, process.env) : answers7501,
  })
  const { receive, receiveOverApi, placing } = hookPlacing(local, complain)
  const requests = heldRequests(local, receive, clock)
  const sessions: LocalSessions = { ...local, requests }
  const own = createReceiver(receive, undefined, complain, requests.hold)
  const remote = createReceiver(receive, token, sentence => complain(sentence, 'requests'))

  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  let tcp: Tcp = {}
  const status = async (): Promise<HostStatus> => ({
    pid: process.pid,
    version,
    protocol,
    startedAt,
    sessions: (await sessions.list()).length,
    hooks: countsOf(own.counts, remote.counts, placing),
    pageNotices: notify?.sendsToPages() ?? false,
    ...defined({ port: tcp.port, portProblem: tcp.problem, serve: door?.status() }),
  })
  const door = makeDoor?.({ sessions, places, clock, version, status, receive: receiveOverApi, complain })

  let notify: HeldNotify | undefined
  answer = createApp({ clock, sessions, status, stop, ...defined({ door }) }).route('/', own.routes).fetch
  const past = keepPast(sessions, places, clock, complain, () => notify?.kept()).catch((error: Error) =>
    complain(`the history is kept no more: ${error.message}`),
  )
  await place.endOlder().catch((error: Error) => {
    complain(error.message)
    stop()
  })
  await door?.update()
  tcp = await listenOverTcp(port, remote.routes.fetch, complain)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stop())
  log.info({ pid: process.pid, version, socket: places.socket, port: tcp.port }, 'the host runs')

  notify = holdNotify({
    env: process.env,
    places,
    sessions,
    clock,
    complain,
    ...defined({ offer: door?.offer, show: door?.show }),
  })
  const segment = pushSegment({ env: process.env, sessions, clock })
  const watch = watchSocket(place, clock, () => {
    log.warn(`${places.socket} was removed, or is another host's`)
    stop()
  })
  await stopped
  watch.cancel()
  log.info('the host stops')
  requests.close()
  await Promise.all([notify.close(), segment.then(pushed => pushed.close()), door?.close()])
  await close(tcp.server ? [place.server, tcp.server] : [place.server], sessions)
  await past
  forgetNote()
  place.leave()
}

const countsOf = (
  own: HookCounts,
  remote: HookCounts,
  { overApi, unplaced }: { readonly overApi: number; readonly unplaced: number },
): HostStatus['hooks'] => ({
  received: own.received + remote.received + overApi,
  refused: own.refused + remote.refused,
  unauthorised: remote.unauthorised,
  unplaced,
  ...defined({ probe: own.probe }),
})

/** Files hooks for their sessions, and counts those that have none. */
function hookPlacing(sessions: LocalSessions, complain: (sentence: string) => void) {
  const placing = { unplaced: 0, overApi: 0 }
  function receive(report: HookReport): string | undefined {
    const id = attempt(() => sessions.receive(report))
    if (id !== undefined) return id
    placing.unplaced++
    complain(
      `a hook of no running agent: ${report.agent} ${report.event}, from pid ${report.sender?.pids[0] ?? 'unknown'}`,
    )
    return undefined
  }
  function receiveOverApi(report: HookReport): string | undefined {
    placing.overApi++
    return receive(report)
  }
  return { receive, receiveOverApi, placing }
}

function watchSocket(place: HostPlace, clock: Clock, lost: () => void): Timer {
  let timer: Timer
  function look(): void {
    timer = clock.at(nextBeat(clock.now(), lookForSocketMs), look)
    if (!place.isOwn()) lost()
  }
  look()
  return { cancel: () => timer.cancel() }
}

/** What can't be logged is lost: the disk may be full. */
const openLog = (places: Places) =>
  pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: logFile(places), mode: 0o600 }).on('error', () => undefined),
  )

async function close(servers: readonly http.Server[], sessions: LocalSessions): Promise<void> {
  const closed = Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  await sessions.close()
  // Whoever was let in is answered.
  await Promise.race([closed, sleep(lastAnswersMs)])
  for (const server of servers) server.closeAllConnections()
}

/** ms */
const lookForSocketMs = 1000
const lastAnswersMs = 300

type Tcp = { readonly server?: http.Server; readonly port?: number; readonly problem?: string }

/** Where the port is taken, the host goes on without. */
async function listenOverTcp(
  port: number | undefined,
  fetch: Fetch,
  complain: (sentence: string) => void,
): Promise<Tcp> {
  if (port === undefined) return {}
  try {
    return { server: await listen(fetch, { port, host: '127.0.0.1' }), port }
  } catch (error) {
    const problem = `no hooks over TCP: ${(error as Error).message}`
    complain(problem)
    return { problem }
  }
}

type Fetch = Parameters<typeof getRequestListener>[0]

function listen(
  fetch: Fetch,
  address: { path: string } | { port: number; host: string },
): Promise<http.Server> {
  const server = http.createServer(getRequestListener(fetch))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => resolve(server))
  })
}

/**
 * The token of a state folder; made where there is none.
 * @throws {LullError} BAD_PLACE where others could have put it there
 */
function readToken(stateFolder: string): string {
  makeOwnFolder(stateFolder)
  const file = path.join(stateFolder, 'token')
  const kept = attempt(() => readPlainText(file, { most: 4096 }).trim())
  if (kept !== undefined && /^[0-9a-f]{64}$/.test(kept)) return kept
  const token = randomBytes(32).toString('hex')
  // Where it can't be kept, the socket takes hooks all the same.
  attempt(() => writeFileSync(file, `${token}\n`, { mode: 0o600 }))
  return token
}
