/** What this machine's place in its fleet works, and what is lost where it does not: each checked by doing it. Nothing is acted on. */
import type { Clock } from '../../core/clock.ts'
import { LullError } from '../../core/lull-error.ts'
import { formatDuration } from '../../core/text/duration.ts'
import type { Ability } from '../../process/abilities.ts'
import { openHistoryStream } from '../history/history-stream.ts'
import type { FleetSettings } from './fleet-settings.ts'
import { connectHub, type Hub, looksNot } from './hub.ts'
import { greetingOf } from './over-nats.ts'

/** ms */
const mostSkew = 2000

export async function fleetAbilities(settings: FleetSettings, clock: Clock): Promise<readonly Ability[]> {
  const { url, name } = settings
  const connected = await tried(() => connectHub(settings))
  const connects: Ability = { name: `reach ${url}`, lost: 'the fleet', ...asked(connected) }
  if ('why' in connected) return [connects]
  await using hub = connected.value
  const list = await tried(() => hub.hosts())
  const looks = name === undefined || !('why' in list && list.why.endsWith(looksNot))
  const checks: Ability[] = [
    connects,
    isPrivate(url, hub),
    {
      name: 'the server asks for a key',
      lost: 'whoever reaches the server can look at all hosts, and act on them',
      works: hub.needsKey,
      why: 'it lets everybody in: lull fleet keys init',
    },
  ]
  if (looks)
    checks.push(
      { name: 'read the list of hosts (JetStream)', lost: 'lull ps --fleet', ...asked(list) },
      {
        name: 'read the history of the fleet',
        lost: 'the past of hosts that are away',
        ...asked(await tried(async () => (await openHistoryStream(hub)).begun())),
      },
    )
  if (name !== undefined) checks.push(...(await ofThisHost(hub, name, clock)))
  return checks.map(({ why, ...check }) => (check.works || why === undefined ? check : { ...check, why }))
}

async function ofThisHost(hub: Hub, name: string, clock: Clock): Promise<readonly Ability[]> {
  const greeting = await greetingOf(hub, name, clock)
  const isUp = 'version' in greeting
  const first: readonly Ability[] = [
    {
      name: `listed as ${name}`,
      lost: 'the others do not see this machine',
      ...asked(await tried(() => hub.join(name))),
    },
    {
      name: 'its host answers there',
      lost: 'the others see it as unknown',
      works: isUp,
      why: isUp ? '' : `${greeting.why}: lull host status`,
    },
  ]
  if (!isUp) return first
  const { skew, unpublished: left } = greeting
  return [
    ...first,
    {
      name: `its history is published${left === undefined || left === 0 ? '' : `, but for ${left} entries`}`,
      lost: 'its past, while it is away',
      works: left !== undefined,
      why: 'the server has not taken it: see the log of the host (lull host status)',
    },
    {
      name: 'what answers is this machine',
      lost: 'another machine has its name',
      works: Math.abs(skew) < mostSkew,
      why: `its clock is ${formatDuration(Math.abs(skew))} off the one here`,
    },
  ]
}

/** Beyond this machine, what is sent can be read on its way. */
function isPrivate(url: string, { connection }: Hub): Ability {
  const { hostname } = new URL(url)
  const isHere = /^(?:127\.[\d.]+|localhost|\[::1\])$/.test(hostname)
  return {
    name: isHere ? 'the server is on this machine' : 'the connection is encrypted',
    lost: 'whoever is on the way reads prompts and messages',
    works: isHere || connection.info?.tls_required === true || url.startsWith('tls:'),
    why: 'use tls:// and the name of the server',
  }
}

type Tried<T> = { readonly value: T } | { readonly why: string }

async function tried<T>(ask: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { value: await ask() }
  } catch (error) {
    if (!(error instanceof LullError)) throw error
    return { why: error.message }
  }
}

const asked = (found: Tried<unknown>): Pick<Ability, 'works' | 'why'> =>
  'why' in found ? { works: false, why: found.why } : { works: true }
