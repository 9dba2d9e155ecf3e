/** `lull serve`: the API of the host over TCP. `status` and `stop`; its tokens are serve-token-command.ts's. */
import path from 'node:path'
import { defined } from '../../../core/defined.ts'
import { exitCode } from '../../../core/exit-codes.ts'
import { LullError } from '../../../core/lull-error.ts'
import { oneLine, printable } from '../../../core/text/printable.ts'
import { boxesNamed } from '../../../fleet/box-address.ts'
import { boxesOn, readHosts } from '../../../fleet/read-hosts.ts'
import type { DoorStatus } from '../../../host/host-door.ts'
import { startHost } from '../../../host/start-host.ts'
import { placesOf, realClock } from '../../../index.ts'
import { newDeviceLink } from '../../../serve/browser/device-link.ts'
import { showInBrowser } from '../../../serve/browser/show-in-browser.ts'
import { askDoor } from '../../../serve/doors/ask-door.ts'
import { unitFor, writeUnit } from '../../../serve/install-unit.ts'
import {
  forgetSettings,
  isKept,
  readSettings,
  settingsBefore,
  writeSettings,
} from '../../../serve/kept-settings.ts'
import { baseUrl, checkSettings, isLoopback, type ServeSettings, usualPort } from '../../../serve/settings.ts'
import { listTokens } from '../../../serve/tokens.ts'
import { readPort } from '../../flags/flag-values.ts'
import { jsonLine, lines, onNotice, print } from '../../ui/print.ts'

type Flags = {
  readonly port?: string
  readonly listen?: string
  readonly readOnly?: boolean
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly behindProxy?: string
  readonly recordings?: string
  readonly on?: string
  readonly install?: boolean
  readonly open?: boolean
  readonly json?: boolean
}

export async function serveCommand(flags: Flags): Promise<void> {
  const places = placesOf()
  const before = settingsBefore(places)
  // Who opens the page of an API that is served does not move it.
  const settings = flags.open && before && asksNothingElse(flags) ? before : settingsOf(flags)
  if (before?.readOnly && !settings.readOnly)
    throw new LullError(
      'USAGE',
      'the API is served read-only: add --read-only, or run lull serve stop first to allow actions',
    )
  if (settings.on) boxesOn(settings.on, readHosts(process.env))
  writeSettings(places, settings)
  await startHost(places)
  const status = await askDoor(places)
  if (status?.problem !== undefined) {
    // What was served before is served again, or still.
    if (before) writeSettings(places, before)
    else forgetSettings(places)
    const now = await askDoor(places)
    process.exitCode = exitCode.failed
    return report(now?.problem === undefined && now ? { ...now, refused: status.problem } : status, flags)
  }
  if (before && baseUrl(before) !== baseUrl(settings))
    onNotice(`the API was at ${baseUrl(before)} until now: what was connected there is cut off`)
  const page = flags.open ? await pageLink(places, settings) : undefined
  report(status && page !== undefined ? { ...status, page } : status, flags)
  if (page !== undefined) showInBrowser(page, places.runtime)
  if (!isLoopback(settings.listen) || settings.proxy !== undefined)
    onNotice(
      `other machines reach ${baseUrl(settings)}: whoever has a token sees what agents write${settings.readOnly ? '' : ', and with --scope act types to them'}`,
    )
  if (page === undefined && listTokens(places).length === 0)
    onNotice('nobody has a token yet: lull serve token add NAME makes one')
  if (flags.install) await install(places)
}

const asksNothingElse = ({ open: _, json: __, install: ___, ...others }: Flags): boolean =>
  Object.values(others).every(value => value === undefined)

/** A link that makes a browser of it, which may do what the API allows. */
async function pageLink(places: ReturnType<typeof placesOf>, settings: ServeSettings): Promise<string> {
  const names = new Set(listTokens(places).map(({ name }) => name))
  let name = 'browser'
  for (let n = 2; names.has(name); n++) name = `browser-${n}`
  const scope = settings.readOnly ? 'read' : 'act'
  return newDeviceLink(places, settings, { name, scope }, realClock().now())
}

const settingsOf = ({
  port,
  listen,
  readOnly,
  tlsCert,
  tlsKey,
  behindProxy,
  recordings,
  on,
}: Flags): ServeSettings =>
  checkSettings({
    port: port === undefined ? usualPort : readPort(port),
    listen: listen ?? '127.0.0.1',
    readOnly: readOnly === true,
    ...defined({
      // The host runs in another folder.
      cert: tlsCert === undefined ? undefined : path.resolve(tlsCert),
      key: tlsKey === undefined ? undefined : path.resolve(tlsKey),
      proxy: behindProxy,
      recordings: recordings === undefined ? undefined : path.resolve(recordings),
      on: on === undefined ? undefined : boxesNamed(on, []),
    }),
  })

async function install(places: ReturnType<typeof placesOf>): Promise<void> {
  const unit = unitFor(process.env)
  await writeUnit(unit, { places, env: process.env, cwd: process.cwd() })
  onNotice(`wrote ${oneLine(unit.file, 500)}; next: ${oneLine(unit.next, 500)}`)
}

export async function serveStatusCommand({ json = false }: Pick<Flags, 'json'>): Promise<void> {
  const places = placesOf()
  const status = await askDoor(places)
  if (!status || status.problem !== undefined) process.exitCode = exitCode.failed
  const settings = readSettings(places)
  const asleep = settings && !status ? 'no host runs: lull host start starts it, with the API' : undefined
  report(status, { json }, asleep)
}

export async function serveStopCommand({ json = false }: Pick<Flags, 'json'>): Promise<void> {
  const places = placesOf()
  const wasServed = isKept(places)
  forgetSettings(places)
  await askDoor(places)
  const sentence = wasServed ? 'the API is not served any more; tokens stay' : 'the API is not served'
  print(json ? jsonLine({ stopped: wasServed }) : lines(sentence))
}

/** `refused`: why it is not served as it was asked for, but as before. */
function report(
  status: (DoorStatus & { readonly refused?: string; readonly page?: string }) | undefined,
  { json = false }: Pick<Flags, 'json'>,
  asleep?: string,
): void {
  const isServed = status !== undefined && status.problem === undefined
  if (json) {
    print(jsonLine({ served: isServed, ...status, ...defined({ problem: status?.problem ?? asleep }) }))
    return
  }
  const isAt = `${status?.refused === undefined ? 'is' : 'stays'} at ${status?.url}${status?.readOnly ? ', read-only' : ''}${status?.on ? `, with the sessions of ${status.on.join(', ')}` : ''}`
  if (isServed) {
    const link = status.page === undefined ? [] : [printable(status.page), printable(linkWorks)]
    print(lines(printable(`the API ${isAt}${why(status.refused)}`), ...link))
  } else print(lines(printable(`the API is not served${why(status?.problem ?? asleep)}`)))
}

const linkWorks = 'the link works once, for a minute; the page is then at the address above'

const why = (problem: string | undefined): string => (problem === undefined ? '' : `: ${problem}`)
