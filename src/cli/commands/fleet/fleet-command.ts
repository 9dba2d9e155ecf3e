/** `lull fleet`: the fleet that this machine belongs to, over a NATS server that a person runs. */
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { defined } from '../../../core/defined.ts'
import { exitCode } from '../../../core/exit-codes.ts'
import { isLullError, LullError } from '../../../core/lull-error.ts'
import { formatDuration } from '../../../core/text/duration.ts'
import { oneLine } from '../../../core/text/printable.ts'
import { fleetRoles } from '../../../fleet/nats/fleet-keys.ts'
import { type FleetSettings, forgetFleet, readFleet, writeFleet } from '../../../fleet/nats/fleet-settings.ts'
import type { Hub } from '../../../fleet/nats/hub.ts'
import { checkHostName, nameFrom } from '../../../fleet/nats/subjects.ts'
import { shares } from '../../../fleet/share/share.ts'
import { startHost } from '../../../host/start-host.ts'
import { placesOf, realClock } from '../../../index.ts'
import { askDoor } from '../../../serve/doors/ask-door.ts'
import { isoOf } from '../../../shapes/verdict-json.ts'
import { jsonLine, lines, note, print } from '../../ui/print.ts'
import { abilityLine } from '../doctor-command.ts'

type JoinFlags = {
  readonly creds?: string
  readonly name?: string
  readonly view?: boolean
  readonly readOnly?: boolean
  readonly share?: string
  readonly withoutKeys?: boolean
}

export async function fleetJoinCommand(url: string, flags: JoinFlags): Promise<void> {
  const places = placesOf()
  const [settings, before] = [await settingsOf(url, flags), readFleet(places)]
  await using hub = await hubOf(settings)
  await askToJoin(hub, settings, before?.name)
  writeFleet(places, settings)
  if (settings.name !== undefined) await startHost(places)
  await askDoor(places)
  await takeBack(hub, settings, before)
  if (settings.name !== undefined && !(await hasJoined(hub, settings.name)))
    note(
      lines(
        `its host, which runs without the environment of this shell, has not joined yet: lull fleet doctor, and the log of the host, tell why`,
      ),
    )
  print(
    lines(
      settings.name === undefined
        ? 'this machine shows the fleet, and is not shown in it: lull ps --fleet'
        : `this machine is in the fleet as ${settings.name}: lull ps --fleet`,
    ),
  )
}

/** ms */
const joiningMs = 5000

/** Whether the host itself is there: it connects on its own. */
async function hasJoined(hub: Hub, name: string): Promise<boolean> {
  const { greetingOf } = await import('../../../fleet/nats/over-nats.ts')
  const clock = realClock(true)
  for (const end = clock.now() + joiningMs; clock.now() < end; await pause(100))
    if ('version' in (await greetingOf(hub, name, clock))) return true
  return false
}

/** What was published while it shared more is taken from the server; its host publishes it anew, as it shares it now. */
async function takeBack(hub: Hub, { name, share }: FleetSettings, before: FleetSettings | undefined) {
  if (name === undefined || name !== before?.name || shares.indexOf(share) >= shares.indexOf(before.share))
    return
  try {
    await purge(hub, name)
    note(lines('what it had published is taken from the server; who has seen it keeps it'))
  } catch (error) {
    if (!isLullError(error)) throw error
    note(
      lines(
        `what it had published stays at the server, for 30 days: lull fleet forget ${name}, by an operator, removes it while this host is stopped`,
      ),
    )
  }
}

/** @param before its name in the fleet so far: that one may be taken by itself */
async function askToJoin(hub: Hub, settings: FleetSettings, before: string | undefined): Promise<void> {
  const { name } = settings
  if (name === undefined) {
    await hub.hosts()
    return
  }
  const { checkKeys, checkName } = await import('../../../fleet/nats/may-join.ts')
  checkKeys(hub, settings)
  if (before !== name) await checkName(hub, name, realClock(true))
  await hub.join(name)
}

async function settingsOf(url: string, flags: JoinFlags): Promise<FleetSettings> {
  const { creds: given, name, view, readOnly, share: shared = 'text', withoutKeys } = flags
  if (!/^(nats|tls):\/\/[^\s]+$/.test(url))
    throw new LullError(
      'USAGE',
      `"${url}" must be the URL of a NATS server, like nats://hub:4222 or tls://hub:4222`,
    )
  if (view && name !== undefined)
    throw new LullError('USAGE', '--view shows nothing of this machine, so that it has no --name')
  const share = shares.find(one => one === shared)
  if (!share) throw new LullError('USAGE', `--share ${oneLine(shared, 100)}: must be ${shares.join(', ')}`)
  const creds = given === undefined ? undefined : path.resolve(given)
  const owner = await ownerOf(creds)
  // An operator may write each name of the list: the server would not refuse it.
  if (owner !== undefined && name !== undefined && name !== owner)
    throw new LullError(
      'USAGE',
      `this key was made for ${owner}: leave --name out, or make one for it: lull fleet keys add ${oneLine(name, 100)}`,
    )
  const who = checkHostName(name ?? owner ?? nameFrom(os.hostname()))
  return {
    ...{ url, who, share, scope: readOnly ? 'read' : 'act' },
    ...(withoutKeys ? { withoutKeys } : {}),
    ...defined({ creds, name: view ? undefined : who }),
  }
}

const ownerOf = async (creds: string | undefined): Promise<string | undefined> =>
  creds === undefined ? undefined : (await import('../../../fleet/nats/hub.ts')).ownerOfKey(creds)

const hubOf = async (settings: FleetSettings): Promise<Hub> =>
  (await import('../../../fleet/nats/hub.ts')).connectHub(settings)

export async function fleetLeaveCommand(): Promise<void> {
  const places = placesOf()
  const before = readFleet(places)
  forgetFleet(places)
  await askDoor(places)
  print(
    lines(before ? `this machine has left the fleet at ${before.url}` : 'this machine belongs to no fleet'),
  )
  if (before?.name === undefined) return
  try {
    await using hub = await hubOf(before)
    await hub.forget(before.name)
  } catch (error) {
    if (!isLullError(error)) throw error
    throw new LullError(
      error.code as 'HOST_GONE',
      `${error.message}; it is listed there still: lull fleet forget ${before.name}, on another machine, removes it`,
    )
  }
}

export async function fleetForgetCommand(name: string): Promise<void> {
  await using hub = await hubOf(mine())
  const { greetingOf } = await import('../../../fleet/nats/over-nats.ts')
  if ('version' in (await greetingOf(hub, checkHostName(name), realClock(true))))
    throw new LullError(
      'USAGE',
      `${name} is connected, and would list itself again: run lull fleet leave there`,
    )
  if (!(await hub.hosts()).has(name)) throw new LullError('USAGE', `no host ${name} has joined the fleet`)
  await hub.forget(name)
  await purge(hub, name)
  print(lines(`${name} is not listed any more, and what it published is taken from the server`))
}

async function purge(hub: Hub, name: string): Promise<void> {
  const { openHistoryStream } = await import('../../../fleet/history/history-stream.ts')
  await (await openHistoryStream(hub)).purge(name)
}

function mine(): FleetSettings {
  const settings = readFleet(placesOf())
  if (settings) return settings
  throw new LullError('USAGE', 'this machine belongs to no fleet: lull fleet join nats://HUB joins one')
}

export async function fleetStatusCommand({ json = false }: { readonly json?: boolean }): Promise<void> {
  const settings = mine()
  const { greetingOf } = await import('../../../fleet/nats/over-nats.ts')
  await using hub = await hubOf(settings)
  const clock = realClock(true)
  const [known, published] = await Promise.all([hub.hosts(), publishedBy(hub)])
  const hosts = await Promise.all(
    [...known].map(async ([name, ago]) => ({
      name,
      heardAt: clock.wall() - ago,
      ...(await greetingOf(hub, name, clock)),
      ...defined({ publishedAt: await published(name) }),
    })),
  )
  if (hosts.some(host => 'why' in host)) process.exitCode = exitCode.failed
  if (json) {
    const shown = hosts.map(({ publishedAt, heardAt, ...host }) => ({
      connected: 'version' in host,
      ...host,
      heardAt: isoOf(heardAt),
      ...(publishedAt === undefined ? {} : { publishedAt: isoOf(publishedAt) }),
    }))
    print(jsonLine({ url: settings.url, ...defined({ name: settings.name }), hosts: shown }))
    return
  }
  print(lines(`${settings.url}: ${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'}`))
  const words = hosts.map(host =>
    'why' in host
      ? `  ${host.why}; it was last heard of ${formatDuration(clock.wall() - host.heardAt)} ago${publishedWords(host.publishedAt, clock.wall())}`
      : `  ${host.name}: lull ${host.version}${skewWords(host.skew)}${leftWords(host.unpublished)}`,
  )
  print(lines(...words))
}

/** When each host published last, ms since the epoch; nothing where the server does not say. */
async function publishedBy(hub: Hub): Promise<(host: string) => Promise<number | undefined>> {
  const { openHistoryStream } = await import('../../../fleet/history/history-stream.ts')
  const stream = await openHistoryStream(hub)
  return host => stream.lastAt(host).catch(() => undefined)
}

const publishedWords = (at: number | undefined, now: number): string =>
  at === undefined ? '' : `, and published its history ${formatDuration(Math.max(0, now - at))} ago`

/** A few are on their way. */
const leftWords = (left: number | undefined): string =>
  left === undefined || left < 100 ? '' : `, ${left} entries of its history are not published yet`

export async function fleetDoctorCommand({ json = false }: { readonly json?: boolean }): Promise<void> {
  const { fleetAbilities } = await import('../../../fleet/nats/fleet-abilities.ts')
  const checks = await fleetAbilities(mine(), realClock(true))
  const isWell = checks.every(({ works }) => works)
  if (!isWell) process.exitCode = exitCode.failed
  print(json ? jsonLine({ works: isWell, checks }) : lines(...checks.map(abilityLine)))
}

/** Ages are not wrong by it: they come from durations. */
const skewWords = (ms: number): string =>
  Math.abs(ms) < 2000 ? '' : `, its clock is ${formatDuration(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead'}`

type KeyFlags = { readonly dir?: string }

const folderOf = async ({ dir }: KeyFlags) =>
  (await import('../../../fleet/nats/key-folder.ts')).keyFolder(dir, process.env)

const reload = 'let the server read it again: nats-server --signal reload'

export async function keysInitCommand(flags: KeyFlags): Promise<void> {
  const folder = await folderOf(flags)
  folder.init()
  print(
    lines(
      `wrote ${folder.configFile}: include it in the configuration of the NATS server, by a path relative to that file`,
    ),
  )
}

export async function keysAddCommand(
  name: string,
  { as = 'host,operator', ...flags }: KeyFlags & { readonly as?: string },
): Promise<void> {
  const roles = as.split(',').map(role => {
    const known = fleetRoles.find(one => one === role.trim())
    if (known) return known
    throw new LullError(
      'USAGE',
      `--as ${oneLine(as, 100)}: must be ${fleetRoles.join(', ')}, with commas between them`,
    )
  })
  const folder = await folderOf(flags)
  const file = folder.add(name, roles)
  print(
    lines(
      `wrote ${file}: move it to ${name}, and run there: lull fleet join URL --creds FILE${roles.includes('host') ? ` --name ${name}` : ' --view'}`,
      `wrote ${folder.configFile}; ${reload}`,
    ),
  )
}

export async function keysRevokeCommand(name: string, flags: KeyFlags): Promise<void> {
  const folder = await folderOf(flags)
  folder.revoke(name)
  print(lines(`${name} is out of ${folder.configFile}; ${reload}, which cuts it off`))
}
