/** The boxes that names mean: hosts of the fleet that this machine belongs to, else what ssh reaches. */
import type { Clock } from '../core/clock.ts'
import { isLullError, LullError } from '../core/lull-error.ts'
import type { History } from '../history/open-history.ts'
import { placesOf } from '../os/file/places.ts'
import { type FleetSettings, readFleet } from './nats/fleet-settings.ts'
import type { Hub } from './nats/hub.ts'
import { type OpenBox, openBox } from './open-box.ts'
import { overSsh } from './over-ssh.ts'
import { boxesOn, readHosts } from './read-hosts.ts'

export type OpenBoxes = {
  readonly boxes: readonly OpenBox[]
  /** What the hosts of the fleet have published; undefined where none of the boxes is one. @throws {LullError} as `fetchHistory` does */
  readonly published?: () => Promise<History>
  close(): Promise<void>
}

/** All that have joined the fleet. */
export const wholeFleet = 'fleet'

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
  const isWhole = names.includes(wholeFleet)
  if (isWhole && !settings)
    throw new LullError(
      'USAGE',
      'this machine belongs to no fleet: lull fleet join nats://HUB joins one, and with --view only looks',
    )
  const fleet = settings && (await openFleet(settings, isWhole, clock))
  const close = async (): Promise<void> => fleet?.close()
  try {
    const { hosts = [] } = fleet ?? {}
    const all = hosts.filter(name => !isBesideHere || name !== settings?.name)
    const asked = [...new Set(names.flatMap(name => (name === wholeFleet ? all : [name])))]
    const others = asked.filter(name => !hosts.includes(name))
    const overOthers = others.length > 0 ? boxesOn(others, readHosts(process.env)) : []
    const boxes = [
      ...asked.flatMap(name => (hosts.includes(name) && fleet ? fleet.open(name) : [])),
      ...overOthers.map(box => openBox(box.name, () => overSsh(box, clock), clock)),
    ]
    return {
      boxes,
      ...(fleet && asked.some(name => hosts.includes(name)) ? { published: fleet.published } : {}),
      async close() {
        for (const box of boxes) box.close()
        await close()
      },
    }
  } catch (error) {
    // An open connection would keep this program.
    await close()
    throw error
  }
}

/** Undefined where its server does not answer, and nobody asks for all of its hosts. */
async function openFleet(settings: FleetSettings, isWhole: boolean, clock: Clock) {
  const [{ connectHub }, { overNats }] = await Promise.all([
    import('./nats/hub.ts'),
    import('./nats/over-nats.ts'),
  ])
  let hub: Hub | undefined
  try {
    const connected = await connectHub(settings)
    hub = connected
    return {
      hosts: await connected.hosts(),
      open: (name: string) => openBox(name, () => overNats(name, connected, settings.scope, clock), clock),
      published: async () => (await import('./history/kept-history.ts')).fetchHistory(connected, placesOf()),
      close: connected.close,
    }
  } catch (error) {
    await hub?.close()
    if (isWhole || !isLullError(error, 'HOST_GONE')) throw error
    return undefined
  }
}
