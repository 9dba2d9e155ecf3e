/** The published history that a command asks for: of all hosts of the fleet, or of a session of one. */
import type { EntryFilter, StoredEntry } from '../../history/entry.ts'
import type { History } from '../../history/open-history.ts'
import { placesOf } from '../../os/file/places.ts'
import { boxesNamed, readBoxAddress } from '../box-address.ts'
import { readFleet } from '../nats/fleet-settings.ts'
import { wholeFleet } from '../open-boxes.ts'
import { entriesOnHosts, fetchHistory, isOn } from './kept-history.ts'

type Published = {
  readonly history: History
  entries(filter: EntryFilter): readonly StoredEntry[]
}

/**
 * @param session an address, perhaps with a box
 * @param on the value of `--on`
 * @returns undefined where a box is meant that is no host of the fleet: ssh reaches it
 * @throws {LullError} HOST_GONE where the server of the fleet is away; NO_SESSION at the question for entries
 */
export async function openPublished(
  session: string | undefined,
  on: string | undefined,
): Promise<Published | undefined> {
  const places = placesOf()
  const settings = readFleet(places)
  if (!settings) return undefined
  const address = session === undefined ? undefined : readBoxAddress(session)
  const named = address?.box === undefined ? boxesNamed(on, []) : [address.box]
  const { connectHub } = await import('../nats/hub.ts')
  await using hub = await connectHub(settings)
  const all = [...(await hub.hosts()).keys()]
  const hosts = named.includes(wholeFleet) ? all : named.filter(name => all.includes(name))
  if (hosts.length < named.length && !named.includes(wholeFleet)) return undefined
  const history = await fetchHistory(hub, places)
  return {
    history,
    entries(filter) {
      if (address) return entriesOnHosts(history, address.session, hosts, filter)
      const found = history.entries(filter)
      return hosts.length === all.length ? found : found.filter(one => hosts.some(host => isOn(host, one)))
    },
  }
}
