/** `lull host start|stop|status`: the background process that receives hooks. */

import { exitCode } from '../../core/exit-codes.ts'
import { formatDuration } from '../../core/text/duration.ts'
import { oneLine } from '../../core/text/printable.ts'
import { findHost, whyNoHost } from '../../host/find-host.ts'
import type { HostStatus } from '../../host/messages.ts'
import { argumentsOf, startHost } from '../../host/start-host.ts'
import { endHost } from '../../host/take-place.ts'
import { placesOf } from '../../index.ts'
import { runningServer } from '../../owned/start-server.ts'
import { systemTable } from '../../sessions/discover/system-table.ts'
import { readPort } from '../flags/flag-values.ts'
import { jsonLine, lines, onNotice, print } from '../ui/print.ts'

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
  printStatus(status, flags)
  const unsupportedReason = systemTable().unsupportedReason()
  if (unsupportedReason !== undefined) onNotice(unsupportedReason)
  if (flags.port === undefined || status.port === Number(flags.port)) return
  const why = status.portProblem ?? 'it already runs; stop it with lull host stop, then start it with --port'
  onNotice(`the host does not receive hooks on port ${flags.port}: ${oneLine(why, 300)}`)
  process.exitCode = exitCode.failed
}

export async function hostStatusCommand(flags: HostFlags): Promise<void> {
  const places = placesOf()
  const found = await findHost(places)
  if (found.is === 'running') return printStatus(found.status, flags)
  process.exitCode = exitCode.failed
  const why = whyNoHost(found, places)
  const { pid } = 'holder' in found ? found.holder : {}
  const row = found.is === 'none' ? { running: false } : { running: false, is: found.is, pid, why }
  print(flags.json ? jsonLine(row) : lines(why))
}

export async function hostStopCommand(flags: HostFlags): Promise<void> {
  const places = placesOf()
  const found = await findHost(places)
  if (!('holder' in found)) {
    const why = found.is === 'none' ? 'no host runs' : whyNoHost(found, places)
    print(flags.json ? jsonLine({ stopped: false }) : lines(why))
    return
  }
  // One that is stopped by a signal hears no other.
  await endHost(found.holder, found.is !== 'stopped')
  const sentence = `stopped the host (pid ${found.holder.pid})`
  print(flags.json ? jsonLine({ stopped: true }) : lines(sentence))
}

/** With the arguments of the one before. Whoever is connected to it searches for himself meanwhile. */
export async function hostRestartCommand(flags: HostFlags): Promise<void> {
  const places = placesOf()
  const found = await findHost(places)
  const held = await runningServer(places)
  if (held && held.terminals > 0)
    onNotice(
      `${held.terminals} ${held.terminals === 1 ? 'terminal' : 'terminals'} of lull's own ${held.terminals === 1 ? 'goes' : 'go'} on: another process (pid ${held.pid}) holds ${held.terminals === 1 ? 'it' : 'them'}`,
    )
  if (!('holder' in found)) return hostStartCommand(flags)
  const words = argumentsOf(found.holder.pid)
  await endHost(found.holder, found.is !== 'stopped')
  printStatus(await startHost(places, words), flags)
}

/** The host itself, in the foreground: what `start` starts. */
export async function hostRunCommand(version: string, flags: HostFlags): Promise<void> {
  const port = flags.port === undefined ? {} : { port: readPort(flags.port) }
  const { runHost } = await import('../../host/host.ts')
  const places = placesOf()
  const { hostDoors } = await import('../../serve/doors/host-doors.ts')
  await runHost({ places, version, ...port, answers7501: flags.answer7501 ?? false, makeDoor: hostDoors })
}

/** What `--on` starts on a box. Starts no host. */
export async function hostStdioCommand(version: string): Promise<void> {
  const { serveStdio } = await import('../../serve/doors/stdio-door.ts')
  await serveStdio(version, process.stdin, process.stdout)
  // A host, or a terminal, that does not answer would keep it.
  process.exit()
}

function printStatus(status: HostStatus, { json }: HostFlags): void {
  if (json) {
    print(jsonLine({ running: true, ...status }))
    return
  }
  const { received, refused, unauthorised, unplaced } = status.hooks
  const age = formatDuration(Date.now() - Date.parse(status.startedAt))
  const lost = [
    refused ? `${refused} refused` : '',
    unauthorised ? `${unauthorised} with a wrong token` : '',
    unplaced ? `${unplaced} without a running agent` : '',
  ].filter(text => text !== '')
  print(
    lines(
      `the host runs (pid ${status.pid}) for ${age}, version ${status.version}: ${status.sessions} ${status.sessions === 1 ? 'session' : 'sessions'}, ${received} ${received === 1 ? 'hook' : 'hooks'} received${lost.length ? ` (${lost.join(', ')})` : ''}${status.port === undefined ? '' : `, also on 127.0.0.1:${status.port}`}${serveWords(status)}`,
    ),
  )
}

function serveWords({ serve }: HostStatus): string {
  if (!serve) return ''
  return serve.problem === undefined ? `; API at ${serve.url}` : `; no API: ${oneLine(serve.problem, 300)}`
}
