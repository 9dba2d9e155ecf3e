/** `lull host start|stop|status`: the background process that receives hooks. */

import { setTimeout as sleep } from 'node:timers/promises'
import { exitCode, formatDuration, LullError, oneLine } from '../../core.ts'
import type { HostStatus } from '../../host/host-app.ts'
import { runningHost, stopHost } from '../../host/host-client.ts'
import { startHost } from '../../host/start-host.ts'
import { placesOf } from '../../index.ts'

export type HostFlags = {
  readonly json?: boolean
  readonly port?: string
  /** In each tmux server, or in the one that is named. */
  readonly answer7501?: boolean | string
}

export async function hostStartCommand(flags: HostFlags): Promise<void> {
  const port = flags.port === undefined ? [] : ['--port', String(readPort(flags.port))]
  const { answer7501: server = false } = flags
  const answer = server === false ? [] : ['--answer-7501', ...(server === true ? [] : [server])]
  const status = await startHost(placesOf(), [...port, ...answer])
  print(status, flags)
  if (flags.port === undefined || status.port === Number(flags.port)) return
  const why = status.portProblem ?? 'it ran already: lull host stop, then start it with --port'
  process.stderr.write(`lull: hooks are not taken on port ${flags.port}: ${oneLine(why, 300)}\n`)
  process.exitCode = exitCode.failed
}

export async function hostStatusCommand(flags: HostFlags): Promise<void> {
  const status = await runningHost(placesOf())
  if (status) return print(status, flags)
  process.stdout.write(flags.json ? '{"running":false}\n' : 'no host runs; `lull host start` starts one\n')
  process.exitCode = exitCode.failed
}

export async function hostStopCommand(flags: HostFlags): Promise<void> {
  const places = placesOf()
  const running = await runningHost(places)
  if (running) {
    await stopHost(places.socket)
    while (await runningHost(places)) await sleep(20)
  }
  const said = running ? `the host (pid ${running.pid}) has stopped` : 'no host runs'
  process.stdout.write(flags.json ? `${JSON.stringify({ stopped: running !== undefined })}\n` : `${said}\n`)
}

/** The host itself, in the foreground: what `start` starts. */
export async function hostRunCommand(version: string, flags: HostFlags): Promise<void> {
  const port = flags.port === undefined ? {} : { port: readPort(flags.port) }
  const { runHost } = await import('../../host/host.ts')
  await runHost({ places: placesOf(), version, ...port, answers7501: flags.answer7501 ?? false })
}

function print(status: HostStatus, { json }: HostFlags): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ running: true, ...status })}\n`)
    return
  }
  const { received, refused, unauthorised, unplaced } = status.hooks
  const age = formatDuration(Date.now() - status.startedAt)
  const lost = [
    refused ? `${refused} refused` : '',
    unauthorised ? `${unauthorised} with a wrong token` : '',
    unplaced ? `${unplaced} of no running agent` : '',
  ].filter(text => text !== '')
  process.stdout.write(
    `the host runs (pid ${status.pid}) for ${age}, version ${status.version}: ${status.sessions} sessions, ${received} hooks heard${lost.length ? ` (${lost.join(', ')})` : ''}${status.port === undefined ? '' : `, also on 127.0.0.1:${status.port}`}\n`,
  )
}

function readPort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new LullError('USAGE', `--port ${text}: a port is a number from 1 to 65535`)
}
