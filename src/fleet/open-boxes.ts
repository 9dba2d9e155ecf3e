/** The boxes that names mean: hosts of the fleet that this machine belongs to, else what ssh reaches. */
import type { Clock } from '../core/clock.ts'
import { isLullError, LullError } from '../core/lull-error.ts'
import { placesOf } from '../os/file/places.ts'
import { type FleetSettings, readFleet } from './nats/fleet-settings.ts'
import type { Hub } from './nats/hub.ts'
import { type OpenBox, openBox } from './open-box.ts'
import { overSsh } from './over-ssh.ts'
import { boxesOn, readHosts } from './read-hosts.ts'

export type OpenBoxes = { readonly boxes: readonly OpenBox[]; close(): Promise<void> }

/** All that have joined the fleet. */
const wholeFleet = 'fleet'

/**
 * @param names of hosts, boxes and groups; `fleet` is every host that has joined
 * @param isBesideHere the sessions of this machine are shown as such: it is no box of its own fleet
 * @throws {LullError} USAGE, BAD_HOSTS; HOST_GONE where the fleet's server is asked for its hosts, and does not answer
 */
export async function openBoxes(
  names: readonly string[],
  clock: Clock,
  isBesideHere = false,
): Promise<OpenBoxes> {
  const settings = readFleet(placesOf())
  const fleet = settings && (await hostsOf(settings, names.includes(wholeFleet)))
  if (names.includes(wholeFleet) && !fleet)
    throw new LullError(
      'USAGE',
      'this machine belongs to no fleet: lull fleet join nats://HUB joins one, and with --view only looks',
    )
  const isHost = (name: string): boolean => fleet?.hosts.includes(name) ?? false
  const hosts = fleet?.hosts.filter(name => !isBesideHere || name !== settings?.name) ?? []
  const asked = names.flatMap(name => (name === wholeFleet ? hosts : [name]))
  const others = asked.filter(name => !isHost(name))
  const overFleet = [...new Set(asked.filter(isHost))].map(name =>
    openBox(name, () => reach(name, fleet, clock), clock),
  )
  const boxes = [
    ...overFleet,
    ...(others.length > 0
      ? boxesOn(others, readHosts(process.env)).map(box =>
          openBox(box.name, () => overSsh(box, clock), clock),
        )
      : []),
  ]
  return {
    boxes,
    async close() {
      for (const box of boxes) box.close()
      await fleet?.hub.close()
    },
  }
}

type Fleet = {
  readonly settings: FleetSettings
  readonly hub: Hub
  readonly hosts: readonly string[]
  readonly overNats: typeof import('./nats/over-nats.ts')['overNats']
}

/** Undefined where its server does not answer, and nobody asks for all of its hosts. */
async function hostsOf(settings: FleetSettings, isWhole: boolean): Promise<Fleet | undefined> {
  const [{ connectHub }, { overNats }] = await Promise.all([
    import('./nats/hub.ts'),
    import('./nats/over-nats.ts'),
  ])
  try {
    const hub = await connectHub(settings)
    return { settings, hub, overNats, hosts: await hub.hosts() }
  } catch (error) {
    if (isWhole || !isLullError(error, 'HOST_GONE')) throw error
    return undefined
  }
}

function reach(name: string, fleet: Fleet | undefined, clock: Clock) {
  if (!fleet) throw new LullError('HOST_GONE', `${name}: the fleet is gone`)
  return fleet.overNats(name, fleet.hub, fleet.settings.scope, clock)
}
